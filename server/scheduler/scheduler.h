// Who searches and counts, and when: the pool of workers, the bounds on it, and the queue before it.

#ifndef KIBITZ_SERVER_SCHEDULER_SCHEDULER_H_
#define KIBITZ_SERVER_SCHEDULER_SCHEDULER_H_

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "server/errors/log_limit.h"
#include "server/measure/durations.h"
#include "server/scheduler/account.h"
#include "server/scheduler/admission.h"
#include "server/scheduler/bounds.h"
#include "server/scheduler/run_permits.h"
#include "server/scheduler/stop_signal.h"
#include "server/scheduler/task.h"
#include "server/scheduler/thread_factory.h"

namespace kibitz::server {

// Takes tasks while there are workers left for them; those it took share the run permits. A worker is a thread of its
// own while it lasts: when the system gives no more threads, tasks have fewer helpers, and then wait for a thread that
// comes free. All methods may be called from any thread.
class Scheduler {
 public:
  using Bounds = SchedulerBounds;
  struct Load {
    int live = 0;
    int queued = 0;
    std::int64_t threads_refused = 0;  // by the system, since the start
  };
  // More than the load, for those who look now and then: it looks at every task.
  struct Survey {
    struct OfTenant {
      int live = 0;
      int queued = 0;
    };
    std::map<std::string, OfTenant> tenants;  // by name; those that have something here
    // Since they were submitted. 0 when there are none.
    std::chrono::nanoseconds oldest_live{0};
    std::chrono::nanoseconds oldest_queued{0};
    int running = 0;  // workers that have a permit
  };
  // What happened since the start.
  struct History {
    std::array<std::int64_t, kStopCauses> stopped{};  // tasks, by StopCause
    Durations::Counts queue_waits;                    // of tasks, until they began
    Durations::Counts permit_waits;                   // of workers, for each turn
    Durations::Counts cancels;                        // from the word to stop to the free worker
  };

  explicit Scheduler(const Bounds& bounds, ThreadFactory start_thread = StartThread);
  // Calls Shutdown.
  ~Scheduler();

  // Takes a task. It is dropped when the queue is full or there are no threads or no memory (RESOURCE_EXHAUSTED), after
  // Shutdown (UNAVAILABLE), or when it has been stopped already.
  void Submit(const std::shared_ptr<Task>& task);

  // Tells a task to stop. If it still waits it is dropped. May come before Submit.
  void Stop(const std::shared_ptr<Task>& task, StopCause cause);

  // The time at which the task has to end has changed.
  void Recheck(const std::shared_ptr<Task>& task);

  // Stops what runs and drops what waits, and returns when nothing runs any more.
  void Shutdown();

  Load load() const;
  Survey survey() const;
  History history() const;

 private:
  // What one worker has to do.
  struct Part {
    std::shared_ptr<Task> task;
    int worker = 0;  // 0 runs the task, the others help
  };
  using Threads = std::list<std::thread>;

  // The account of a tenant, made if there is none. It stays for good.
  Account& AccountOf(const Tenant& tenant);
  // Takes a task into the queue, or says why not.
  absl::Status Enqueue(const std::shared_ptr<Task>& task);
  // Lets a task wait that did not begin at once, or says why not. Under the lock, like those that follow.
  absl::Status KeepQueued(Task& task);
  // Gives workers to those who wait for them, in turn.
  void Dispatch();
  void Begin(Task& task, int workers);
  // How many threads there are for that many parts, after trying for what is missing.
  int ReserveThreads(int wanted);
  bool AddThread();
  void Exempt(Task& task);

  void Work(Threads::iterator self);
  // Whether the thread has a part to do; if not, it is to end. `lock` is held.
  bool AwaitPart(std::unique_lock<std::mutex>& lock);
  Part TakePart();
  // Without the lock. True: it was the last part of its task, which has ended.
  bool Do(const Part& part);
  bool Leave(const Part& part, RunPermit& permit);
  // Counts how a task ended.
  void CountEnd(Task& task);
  // Takes out a task that has ended, with its last thread free. Under the lock.
  Tasks Remove(Task& task);
  void Fail(Task& task, const absl::Status& why);
  static void End(Task& task);

  const ThreadFactory start_thread_;
  RunPermits permits_;
  std::array<std::atomic<std::int64_t>, kStopCauses> stopped_{};
  Durations queue_waits_;
  Durations cancels_;

  mutable std::mutex mutex_;  // guards what follows, and what tasks keep for the scheduler
  std::condition_variable parts_changed_;
  Admission admission_;
  Tasks beginning_;        // have their workers' places, not yet all their threads
  Tasks live_;             // the others that have begun
  int parts_waiting_ = 0;  // of those that begin; there is an idle thread for each
  int idle_threads_ = 0;
  bool shutting_down_ = false;
  Threads threads_;
  Threads ended_threads_;  // to be joined
  std::int64_t threads_refused_ = 0;
  LogLimit refusal_log_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SCHEDULER_SCHEDULER_H_
