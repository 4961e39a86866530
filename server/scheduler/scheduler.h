// Who searches and counts, and when: the pool of workers, the bounds on it, and the queue before it.

#ifndef KIBITZ_SERVER_SCHEDULER_SCHEDULER_H_
#define KIBITZ_SERVER_SCHEDULER_SCHEDULER_H_

#include <condition_variable>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "server/scheduler/run_permits.h"
#include "server/scheduler/stop_signal.h"
#include "server/scheduler/task.h"

namespace kibitz::server {

// Takes tasks first come, first served while there are workers left for them; those it took share the run permits.
// All methods may be called from any thread.
class Scheduler {
 public:
  struct Bounds {
    // How many workers run at a time.
    int permits = 1;
    // How many workers there may be, running or in the middle of their work. No task may ask for more.
    int max_workers = 1000;
    // How many tasks may wait for a worker.
    int max_queue = 2000;
  };
  struct Load {
    int live = 0;
    int queued = 0;
  };

  explicit Scheduler(const Bounds& bounds);
  // Calls Shutdown.
  ~Scheduler();

  // Takes a task. It is dropped when the queue is full (RESOURCE_EXHAUSTED), after Shutdown (UNAVAILABLE), or when it
  // has been stopped already.
  void Submit(const std::shared_ptr<Task>& task);

  // Tells a task to stop. If it still waits it is dropped. May come before Submit.
  void Stop(const std::shared_ptr<Task>& task, StopCause cause);

  // The time at which the task has to end has changed.
  void LookAgain(const std::shared_ptr<Task>& task);

  // Stops what runs and drops what waits, and returns when nothing runs any more.
  void Shutdown();

  const Bounds& bounds() const { return bounds_; }
  Load load() const;

 private:
  struct Live {
    int workers_left;          // that have not done their part
    bool excused = false;      // whoever is left has only to clear up
    std::vector<Turn*> turns;  // of those at work
  };
  struct Job {
    std::shared_ptr<Task> task;
    int worker;  // 0 runs the task, the others help
  };
  using Threads = std::list<std::thread>;

  // Takes a task into the queue, or says why not.
  absl::Status Enqueue(const std::shared_ptr<Task>& task);
  // Gives workers to those who wait for them, in turn. Under the lock.
  void Dispatch();
  // Sees to it that there is a thread for each job. Under the lock.
  void AddThreads();

  void Work(Threads::iterator self);
  void Do(const Job& job, std::unique_ptr<SearchMemory>& memory);
  // Whether the thread has a job to do; if not, it is to end. `lock` is held.
  bool AwaitJob(std::unique_lock<std::mutex>& lock);

  const Bounds bounds_;
  RunPermits permits_;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable jobs_changed_;
  std::deque<std::shared_ptr<Task>> queue_;
  std::deque<Job> jobs_;  // have a worker's place, wait for its thread
  std::unordered_map<Task*, Live> live_;
  int workers_used_ = 0;
  int idle_threads_ = 0;
  bool shutting_down_ = false;
  Threads threads_;
  Threads ended_threads_;  // to be joined
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SCHEDULER_SCHEDULER_H_
