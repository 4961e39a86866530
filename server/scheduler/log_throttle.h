// Keeps one cause from filling the log.

#ifndef KIBITZ_SERVER_SCHEDULER_LOG_THROTTLE_H_
#define KIBITZ_SERVER_SCHEDULER_LOG_THROTTLE_H_

#include <atomic>
#include <chrono>
#include <cstdint>

namespace kibitz::server {

// Lets one line a second through. May be used from any thread.
class LogThrottle {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Whether to write a line now.
  bool Admits(Time now = std::chrono::steady_clock::now()) {
    std::int64_t next = next_.load(std::memory_order_relaxed);
    const std::int64_t ticks = now.time_since_epoch().count();
    return ticks >= next && next_.compare_exchange_strong(next, ticks + kInterval.count());
  }

 private:
  static constexpr std::chrono::steady_clock::duration kInterval = std::chrono::seconds(1);

  std::atomic<std::int64_t> next_ = INT64_MIN;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SCHEDULER_LOG_THROTTLE_H_
