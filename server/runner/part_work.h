// One part of a job while it is done.

#ifndef KIBITZ_SERVER_RUNNER_PART_WORK_H_
#define KIBITZ_SERVER_RUNNER_PART_WORK_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "kibitz/v1/jobs.pb.h"
#include "server/analysis/search_group.h"
#include "server/jobs/job_queue.h"
#include "server/runner/job_plan.h"

namespace kibitz::server {

// Its positions are searched one after the other: others do other parts meanwhile.
class PartWork final : public SearchGroup::Owner {
 public:
  // What has come of it: results, or why it is given back.
  using Outcome = std::variant<PartResult, JobQueue::GiveBackReason>;

  // Its positions are those from `first` on.
  PartWork(std::shared_ptr<const JobPlan> plan, int first, int positions, std::function<void(Outcome)> on_end)
      : plan_(std::move(plan)), first_(first), positions_(positions), on_end_(std::move(on_end)) {}

  v1::AnalyzeRequest RequestOf(int index) override { return plan_->RequestOf(first_ + index); }
  bool HasRoom() override { return true; }
  void OnQueued(int /*place*/) override {}
  void OnFinal(int index, const v1::AnalyzeResponse::Final& final) override;
  void OnRefused(int index, const absl::Status& why) override;
  void OnEnd(const absl::Status& why) override;

 private:
  Outcome OutcomeOf(const absl::Status& why) const;

  const std::shared_ptr<const JobPlan> plan_;
  const int first_;
  const int positions_;
  const std::function<void(Outcome)> on_end_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  v1::JobResults found_;
  std::int64_t nodes_ = 0;
  absl::Status failed_;   // a search did
  absl::Status no_room_;  // there was none for a search
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RUNNER_PART_WORK_H_
