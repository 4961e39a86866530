// What the scheduler runs: a search or a count.

#ifndef KIBITZ_SERVER_SCHEDULER_TASK_H_
#define KIBITZ_SERVER_SCHEDULER_TASK_H_

#include <memory>

#include "absl/status/status.h"
#include "engine/engine.h"
#include "server/scheduler/run_permits.h"
#include "server/scheduler/stop_signal.h"

namespace kibitz::server {

// A thread of the pool, as a task sees it.
class Worker {
 public:
  explicit Worker(std::unique_ptr<SearchMemory>& memory, Turn& turn) : memory_(memory), turn_(turn) {}

  // To be visited every millisecond or so.
  Turn& turn() { return turn_; }

  // Memory for a search that has none of its own, with nothing in it.
  SearchMemory& FreshMemory() {
    if (memory_ == nullptr) {
      memory_ = std::make_unique<SearchMemory>();
    } else {
      memory_->Clear();
    }
    return *memory_;
  }

 private:
  std::unique_ptr<SearchMemory>& memory_;
  Turn& turn_;
};

// Once submitted, a task either runs or is dropped, once.
class Task {
 public:
  // `threads` is how many workers it wants, at least one.
  Task(int threads, Priority priority) : threads_(threads), priority_(priority) {}
  virtual ~Task() = default;

  // It has to wait; 1 is next. Called before Run, at most once; must not call the scheduler.
  virtual void OnQueued(int /*place*/) {}
  // Does the work, until `stop_signal` is set. The first worker's part.
  virtual void Run(Worker& worker) = 0;
  // The parts of the others, counted from 1, at the same time.
  virtual void Help(int /*helper*/, Worker& /*worker*/) {}
  // Whether the helpers still have work to do when Run has ended. If not they must end soon after it.
  virtual bool OutlivesRun() const { return false; }
  // All its workers have left. Called once, after Run.
  virtual void End() {}
  // It will never run, for the reason given.
  virtual void Drop(const absl::Status& why) = 0;

  int threads() const { return threads_; }
  Priority priority() const { return priority_; }
  StopSignal& stop_signal() { return stop_signal_; }

 private:
  const int threads_;
  const Priority priority_;
  StopSignal stop_signal_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SCHEDULER_TASK_H_
