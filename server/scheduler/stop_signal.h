// How work is told to stop, and why.

#ifndef KIBITZ_SERVER_SCHEDULER_STOP_SIGNAL_H_
#define KIBITZ_SERVER_SCHEDULER_STOP_SIGNAL_H_

#include <atomic>
#include <chrono>
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
inline constexpr int kStopCauses = static_cast<int>(StopCause::kFailed) + 1;

// What the client is told about work that ended for this cause with nothing to show.
absl::Status StatusOf(StopCause cause);

// Set once, by whoever comes first. All methods may be called from any thread.
class StopSignal {
 public:
  using Clock = std::chrono::steady_clock;

  void Stop(StopCause cause) {
    StopCause none = StopCause::kNone;
    if (!cause_.compare_exchange_strong(none, cause)) return;
    since_.store(Clock::now());
    stopped_.store(true);
  }
  // kNone until it is stopped.
  StopCause cause() const { return cause_.load(); }
  // When it was stopped; good once the work has seen that it is.
  Clock::time_point since() const { return since_.load(); }
  // Whether it is stopped, for the work itself to look at.
  const std::atomic<bool>& flag() const { return stopped_; }

 private:
  std::atomic<StopCause> cause_{StopCause::kNone};
  std::atomic<Clock::time_point> since_{Clock::time_point()};
  std::atomic<bool> stopped_{false};
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SCHEDULER_STOP_SIGNAL_H_
