// How long the work of one tenant takes at least.

#ifndef KIBITZ_SERVER_SCHEDULER_BACKLOG_H_
#define KIBITZ_SERVER_SCHEDULER_BACKLOG_H_

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>

namespace kibitz::server {

// Knows of tasks for how long they run unless they are stopped; those of which that is not known count for nothing. Its
// owner's lock guards it.
class Backlog {
 public:
  using Duration = std::chrono::steady_clock::duration;
  using Time = std::chrono::steady_clock::time_point;

  // A task of this queue waits, or waits no more.
  void Enqueue(std::size_t queue, Duration shortest) {
    queued_[queue] += shortest;
    longest_ = std::max(longest_, shortest);
  }
  void Dequeue(std::size_t queue, Duration shortest) { queued_[queue] -= shortest; }

  // A task runs until then at least, or has ended.
  void Begin(Time until) {
    ++running_;
    running_until_ += until.time_since_epoch();
  }
  void End(Time until) {
    --running_;
    running_until_ -= until.time_since_epoch();
  }

  // When a task that comes to the end of this queue can begin at the earliest, if so many run at a time and none is
  // stopped. By then all before it have begun, and all of those but one may still run.
  Time EarliestBegin(Time now, std::size_t queue, int at_a_time) const {
    const Duration running = std::max(Duration(0), running_until_ - running_ * now.time_since_epoch());
    const Duration ahead = queued_[queue] + running - (at_a_time - 1) * longest_;
    return now + std::max(Duration(0), ahead) / at_a_time;
  }

 private:
  std::array<Duration, 2> queued_{};
  int running_ = 0;
  Duration running_until_{0};  // the sum of theirs
  Duration longest_{0};        // that ever was
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SCHEDULER_BACKLOG_H_
