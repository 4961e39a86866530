// Who searches and counts, and when: the threads that do the work, and the queue before them.

#ifndef KIBITZ_SERVER_SCHEDULER_H_
#define KIBITZ_SERVER_SCHEDULER_H_

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_set>
#include <vector>

#include "absl/status/status.h"
#include "server/stop_signal.h"

namespace kibitz::server {

// A search or a count. Once submitted, either Run or Drop is called, once.
class Task {
 public:
  // `threads` is how many run permits it needs. 0: as many as are free when it starts, at least one.
  explicit Task(int threads) : threads_(threads) {}
  virtual ~Task() = default;

  // It has to wait; 1 is next. Called before Run, at most once; must not call the scheduler.
  virtual void OnQueued(int /*place*/) {}
  // Does the work with `threads` threads in all, the calling one included, until `stop_signal` is set.
  virtual void Run(int threads) = 0;
  // It will never run, for the reason given.
  virtual void Drop(const absl::Status& why) = 0;

  int threads() const { return threads_; }
  StopSignal& stop_signal() { return stop_signal_; }

 private:
  const int threads_;
  StopSignal stop_signal_;
};

// Runs tasks first come, first served, never more threads at a time than there are run permits.
// All methods may be called from any thread.
class Scheduler {
 public:
  struct Load {
    int running = 0;
    int queued = 0;
  };

  Scheduler(int permits, int max_queue);
  // Calls Shutdown.
  ~Scheduler();

  // Takes a task, which must not ask for more threads than there are permits. It is dropped when the queue is full
  // (RESOURCE_EXHAUSTED), after Shutdown (UNAVAILABLE), or when it has been stopped already.
  void Submit(const std::shared_ptr<Task>& task);

  // Tells a task to stop. If it still waits it is dropped. May come before Submit.
  void Stop(const std::shared_ptr<Task>& task, StopCause cause);

  // Stops what runs and drops what waits, and returns when nothing runs any more.
  void Shutdown();

  int permits() const { return permits_; }
  int max_queue() const { return max_queue_; }
  Load load() const;

 private:
  struct Grant {
    std::shared_ptr<Task> task;
    int threads;
  };

  // Takes a task into the queue, or says why not.
  absl::Status Enqueue(const std::shared_ptr<Task>& task);
  void Work();
  // Gives free permits to those who wait for them, in turn. Under the lock.
  void Dispatch();

  const int permits_;
  const int max_queue_;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Task>> queue_;
  std::deque<Grant> granted_;                          // have their permits, wait for a thread to wake up
  std::unordered_set<std::shared_ptr<Task>> running_;  // have their permits
  int free_permits_;
  bool shutting_down_ = false;

  std::once_flag joined_;
  std::vector<std::thread> workers_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SCHEDULER_H_
