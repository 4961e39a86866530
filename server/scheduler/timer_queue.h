// Calls back at given times.

#ifndef KIBITZ_SERVER_SCHEDULER_TIMER_QUEUE_H_
#define KIBITZ_SERVER_SCHEDULER_TIMER_QUEUE_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "server/scheduler/thread_factory.h"

namespace kibitz::server {

// Many thousand timers on one thread. All methods may be called from any thread.
class TimerQueue {
 private:
  class Timers;

 public:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;

  // A timer that was set, or none. It may outlive the queue, and the timer goes on without it.
  class Timer {
   public:
    Timer() = default;

    // Whether the callback was kept from being called; false when that has begun, or when there is nothing to cancel.
    // It is destroyed before this returns.
    bool Cancel();

   private:
    friend class TimerQueue;
    using Key = std::pair<Time, std::uint64_t>;

    Timer(std::weak_ptr<Timers> timers, Key key) : timers_(std::move(timers)), key_(key) {}

    std::weak_ptr<Timers> timers_;
    Key key_;
  };

  // Throws what the factory throws when there is no thread to be had.
  explicit TimerQueue(const ThreadFactory& start_thread = StartThread);
  // Calls Shutdown.
  ~TimerQueue();
  TimerQueue(const TimerQueue&) = delete;
  TimerQueue& operator=(const TimerQueue&) = delete;

  // Calls back at that time, or as soon as may be, on the queue's thread, which all timers share: it must be quick.
  // What it throws is logged. Timers of the same time are called in the order in which they were set. After Shutdown
  // the callback is dropped.
  Timer Schedule(Time time, std::function<void()> callback);

  // Drops what waits, and returns when no callback runs any more. Not from a callback.
  void Shutdown();

 private:
  // What the queue and its handles share.
  class Timers {
   public:
    using Callbacks = std::map<Timer::Key, std::function<void()>>;

    Timer::Key Add(Time time, std::function<void()> callback);
    bool Remove(Timer::Key key);
    // Calls back until Close.
    void Run();
    void Close();

   private:
    // The next callback whose time has come; waits for it. Empty after Close. `lock` is held.
    Callbacks::node_type AwaitNext(std::unique_lock<std::mutex>& lock);

    std::mutex mutex_;  // guards what follows
    std::condition_variable changed_;
    bool closed_ = false;
    std::uint64_t count_ = 0;  // of all that were ever set
    Callbacks callbacks_;
  };

  const std::shared_ptr<Timers> timers_;
  std::mutex join_mutex_;  // guards what follows
  std::thread thread_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SCHEDULER_TIMER_QUEUE_H_
