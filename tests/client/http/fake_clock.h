// A clock that stands still, except where somebody waits: then it is that time at once. What was waited for is noted.

#ifndef KIBITZ_TESTS_CLIENT_HTTP_FAKE_CLOCK_H_
#define KIBITZ_TESTS_CLIENT_HTTP_FAKE_CLOCK_H_

#include <mutex>
#include <stop_token>
#include <vector>

#include "absl/time/time.h"
#include "client/http/clock.h"

namespace kibitz::client::http {

class FakeClock final : public Clock {
 public:
  absl::Time Now() const override {
    std::lock_guard lock(mutex_);
    return now_;
  }

  bool WaitUntil(absl::Time time, const std::stop_token& stop) override {
    std::lock_guard lock(mutex_);
    if (time > now_) {
      pauses_.push_back(time - now_);
      now_ = time;
    }
    return !stop.stop_requested();
  }

  // Those that were not over before they began.
  std::vector<absl::Duration> pauses() const {
    std::lock_guard lock(mutex_);
    return pauses_;
  }

 private:
  mutable std::mutex mutex_;
  absl::Time now_ = absl::FromUnixSeconds(1'700'000'000);
  std::vector<absl::Duration> pauses_;
};

}  // namespace kibitz::client::http

#endif  // KIBITZ_TESTS_CLIENT_HTTP_FAKE_CLOCK_H_
