// When to stop a search so that its Final reaches the client before the client's deadline.

#ifndef KIBITZ_SERVER_ANALYSIS_DEADLINES_H_
#define KIBITZ_SERVER_ANALYSIS_DEADLINES_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "server/scheduler/timer_queue.h"

namespace kibitz::server {

// The one owner of the rule: a margin of 20 ms or 2 % of the time given, whichever is more, before the client's own
// deadline. What the client sends may be 3 % more than that: to save bytes, gRPC sends the timeout of an earlier call
// again if it is no more than so much longer. And where many deadlines fall together those that come first are stopped
// earlier, because writing so many Finals takes time.
//
// All methods may be called from any thread.
class Deadlines {
 public:
  using Time = TimerQueue::Time;
  using Id = std::pair<Time, std::uint64_t>;

  // The margin before a deadline that is so far off, as far as the server was told.
  static std::chrono::nanoseconds Margin(std::chrono::nanoseconds given);

  // What one Final takes, from the stop to the wire, when many come at once.
  static constexpr std::chrono::microseconds kTimePerFinal{400};

  explicit Deadlines(TimerQueue& timers) : timers_(timers) {}

  // Calls `stop` when it is time to, once, on the timers' thread: it must be quick.
  Id Add(Time deadline, std::function<void()> stop);
  // Too late to be of use if its time has come.
  void Remove(const Id& id);

 private:
  using Stops = std::map<Id, std::function<void()>>;

  void OnTimer();
  // Sees to it that OnTimer is called at that time, or before. Under the lock.
  void WakeAt(Time time);
  // Takes out those that have to be stopped now, and tells when to look again.
  std::vector<std::function<void()>> TakeDue(Time now, Time& next);

  TimerQueue& timers_;
  std::mutex mutex_;  // guards what follows
  Stops stops_;       // by the time at which each has to be stopped if it is alone
  std::uint64_t count_ = 0;
  Time wake_ = Time::max();
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_ANALYSIS_DEADLINES_H_
