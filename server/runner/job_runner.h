// Does the parts of jobs, on what calls leave of the workers.

#ifndef KIBITZ_SERVER_RUNNER_JOB_RUNNER_H_
#define KIBITZ_SERVER_RUNNER_JOB_RUNNER_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "absl/status/statusor.h"
#include "server/analysis/analyzer.h"
#include "server/analysis/search_group.h"
#include "server/conversion/request_caps.h"
#include "server/jobs/job_queue.h"
#include "server/review/reviewed_game.h"
#include "server/rpc/call_work.h"
#include "server/runner/job_plan.h"
#include "server/runner/part_work.h"
#include "server/scheduler/timer_queue.h"
#include "server/tenant/tenant.h"

namespace kibitz::server {

// One thread takes parts, a few at a time, and puts down what comes of them; searches run as those of calls do, after
// them. What cannot be put down now is kept, and tried again.
class JobRunner final : public JobQueue::Listener {
 public:
  struct Options {
    int width = 1;  // how many parts are done at a time
    JobQueue::Ability ability;
    RequestCaps caps;
    std::function<TenantPointer(const std::string& name)> tenant_of;
    std::function<ReviewKnowledge()> knowledge;
  };

  // What it uses must outlive it. Throws what the system throws when there is no thread to be had.
  JobRunner(Options options, JobQueue& queue, Analyzer& analyzer, TimerQueue& timers);
  // Calls Stop.
  ~JobRunner() override;

  // Takes no more parts; those that are being done are done.
  void Drain();
  // Gives back what is being done, and returns when nothing is. Before the analyzer ends.
  void Stop();

  void OnWork() override;
  void OnJobOver(const std::string& job) override;

 private:
  using Clock = std::chrono::steady_clock;

  // A part that was taken.
  struct Running {
    TakenPart part;
    std::shared_ptr<SearchGroup> group{};  // null until it begins
    std::optional<PartWork::Outcome> outcome{};
    bool tried = false;  // to put it down
  };
  using Parts = std::list<Running>;

  // The job of parts, and what it comes to.
  struct Planned {
    JobSpec spec;
    std::shared_ptr<const JobPlan> plan;
  };

  void Run();
  // What follows is done without the lock, by the thread alone, which owns the parts.
  bool HasRoom() const;
  void TakeParts();
  // Begins what is to be done alone, once it is.
  void BeginAlone();
  void Begin(Parts::iterator running);
  absl::StatusOr<Planned> PlanOf(const TakenPart& part, const RequestCaps& caps);
  // Puts down what came of those that have ended. Those for which that fails stay, unless it is the last try.
  void PutDown(bool last_try);
  absl::Status PutDown(Running& running);
  void KeepAlive();
  void CancelParts(const std::function<bool(const Running&)>& which);

  const Options options_;
  JobQueue& queue_;
  Analyzer& analyzer_;
  TimerQueue& timers_;
  CallWork work_;  // of all parts

  // The thread's.
  Parts parts_;
  std::map<std::string, Planned> plans_;  // by job, of those of which parts were done of late
  Clock::time_point next_keep_alive_{};
  Clock::time_point next_put_down_{};

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool may_have_work_ = true;
  bool draining_ = false;
  bool stopping_ = false;
  std::set<std::string> over_;
  std::deque<std::pair<Parts::iterator, PartWork::Outcome>> outcomes_;
  std::thread thread_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RUNNER_JOB_RUNNER_H_
