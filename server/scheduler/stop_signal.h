// How work is told to stop, and why.

#ifndef KIBITZ_SERVER_SCHEDULER_STOP_SIGNAL_H_
#define KIBITZ_SERVER_SCHEDULER_STOP_SIGNAL_H_

#include <atomic>
#include <cstdint>

#include "absl/status/status.h"

namespace kibitz::server {

enum class StopCause : std::uint8_t {
  kNone,
  kCancelled,  // the client is gone, or wants no more
  kDeadline,   // the client's deadline is near
  kShutdown,   // the server ends
  kTimeCap,    // it has used the time that the server allows
  kQuota,      // its tenant has used what it may
  kFailed,     // a part of the work threw
};

// What the client is told about work that ended for this cause with nothing to show.
absl::Status StatusOf(StopCause cause);

// Set once, by whoever comes first. All methods may be called from any thread.
class StopSignal {
 public:
  void Stop(StopCause cause) {
    StopCause none = StopCause::kNone;
    if (cause_.compare_exchange_strong(none, cause)) stopped_.store(true);
  }
  // kNone until it is stopped.
  StopCause cause() const { return cause_.load(); }
  // Whether it is stopped, for the work itself to look at.
  const std::atomic<bool>& flag() const { return stopped_; }

 private:
  std::atomic<StopCause> cause_{StopCause::kNone};
  std::atomic<bool> stopped_{false};
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SCHEDULER_STOP_SIGNAL_H_
