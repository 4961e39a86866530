// What the scheduler runs: a search or a count.

#ifndef KIBITZ_SERVER_SCHEDULER_TASK_H_
#define KIBITZ_SERVER_SCHEDULER_TASK_H_

#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "server/scheduler/end_times.h"
#include "server/scheduler/run_permits.h"
#include "server/scheduler/stop_signal.h"
#include "server/tenant/tenant.h"

namespace kibitz::server {

struct Account;
class Task;
using Tasks = std::list<std::shared_ptr<Task>>;

// Once submitted, a task either runs or is dropped, once. The last that it hears is End or Drop.
class Task {
 public:
  // How long it lasts, as far as is known when it is submitted.
  struct Lifetime {
    using Clock = std::chrono::steady_clock;
    // From when it begins, unless it is stopped.
    Clock::duration shortest{0};
    Clock::duration longest = Clock::duration::max();
    // It is stopped then, whether it has begun or not.
    Clock::time_point deadline = Clock::time_point::max();
  };

  // `threads` is how many workers it wants, at least one; `tenant` is whose work it is.
  Task(int threads, Priority priority, TenantPointer tenant)
      : threads_(threads), priority_(priority), tenant_(std::move(tenant)) {}
  virtual ~Task() = default;

  // It has to wait; 1 is next among those of its tenant and priority. Called before Run, at most once; must not call
  // the scheduler.
  virtual void OnQueued(int /*place*/) {}
  // Does the work, until `stop_signal` is set. The first worker's part. The permit's checkpoint is to be visited every
  // millisecond or so.
  virtual void Run(RunPermit& permit) = 0;
  // The parts of the others, counted from 1, at the same time. There may be fewer than it wants, or none.
  virtual void Help(int /*helper*/, RunPermit& /*permit*/) {}
  // Whether the helpers still have work to do when Run has ended. If not they must end soon after it.
  virtual bool OutlivesRun() const { return false; }
  // All its workers have left. Called after Run.
  virtual void End() {}
  // It will never run, for the reason given. Or else it has failed: what Run, Help or End throws ends the task, and it
  // is told here, once all its workers have left.
  virtual void Drop(const absl::Status& why) = 0;

  int threads() const { return threads_; }
  Priority priority() const { return priority_; }
  const Tenant& tenant() const { return *tenant_; }
  StopSignal& stop_signal() { return stop_signal_; }
  const Lifetime& lifetime() const { return lifetime_; }
  // Before it is submitted.
  void set_lifetime(const Lifetime& lifetime) { lifetime_ = lifetime; }

 private:
  friend class Admission;
  friend class Scheduler;

  enum class Stage : std::uint8_t { kOutside, kQueued, kLive };

  const int threads_;
  const Priority priority_;
  const TenantPointer tenant_;
  StopSignal stop_signal_;
  Lifetime lifetime_;

  // The scheduler's, under its lock. They stand here so that it finds them at once and needs no memory of its own.
  Stage stage_ = Stage::kOutside;
  Lifetime::Clock::time_point submitted_;
  Account* account_ = nullptr;              // of its tenant, once it was submitted
  Tasks::iterator node_;                    // in the list of its stage
  std::uint64_t arrival_ = 0;               // counts those that were queued
  EndTimes::Entry end_;                     // among those of its tenant
  EndTimes::Entry end_of_all_;              // among all
  Lifetime::Clock::time_point runs_until_;  // at least
  int workers_ = 0;                         // that it was given
  int workers_begun_ = 0;                   // of them
  int workers_left_ = 0;                    // of them, that have not done their part
  bool exempt_ = false;                     // whoever is left has only to clear up
  std::vector<RunPermit*> permits_;         // of those at work
  absl::Status failure_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SCHEDULER_TASK_H_
