// Time, and waiting for it. Tests have one of their own.

#ifndef KIBITZ_CLIENT_HTTP_CLOCK_H_
#define KIBITZ_CLIENT_HTTP_CLOCK_H_

#include <stop_token>

#include "absl/time/time.h"

namespace kibitz::client::http {

class Clock {
 public:
  virtual ~Clock() = default;

  virtual absl::Time Now() const = 0;
  // Whether the time came; false if a stop was requested before.
  virtual bool WaitUntil(absl::Time time, const std::stop_token& stop) = 0;

  bool WaitFor(absl::Duration duration, const std::stop_token& stop) { return WaitUntil(Now() + duration, stop); }
};

// The machine's. Lives as long as the program.
Clock& RealClock();

}  // namespace kibitz::client::http

#endif  // KIBITZ_CLIENT_HTTP_CLOCK_H_
