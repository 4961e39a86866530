// What a job comes to: its searches, in their order, and the parts that they are cut into.

#ifndef KIBITZ_SERVER_RUNNER_JOB_PLAN_H_
#define KIBITZ_SERVER_RUNNER_JOB_PLAN_H_

#include <chrono>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "kibitz/v1/analysis.pb.h"
#include "kibitz/v1/jobs.pb.h"
#include "server/conversion/request_caps.h"
#include "server/review/reviewed_game.h"
#include "server/review/reviewed_games.h"

namespace kibitz::server {

// The same request gives the same plan on every server. May be used by many threads.
class JobPlan {
 public:
  // Reading the games of a review can take a while. An error names the field by its path in a SubmitJobRequest.
  static absl::StatusOr<std::shared_ptr<const JobPlan>> Make(const v1::JobRequest& job, const RequestCaps& caps,
                                                             const ReviewKnowledge& knowledge);

  int positions() const;
  // How many positions a part has that takes about so long.
  int PartSize(std::chrono::milliseconds part_time) const;
  // The search of a position, by its number.
  v1::AnalyzeRequest RequestOf(int index) const;
  // The games of a review, before anything is known of them; nullptr: it is a batch.
  const ReviewedGames* review() const { return review_.has_value() ? &*review_ : nullptr; }

 private:
  explicit JobPlan(const v1::JobRequest& job) : job_(job) {}

  absl::Status PlanBatch(const RequestCaps& caps);
  absl::Status PlanReview(const RequestCaps& caps, const ReviewKnowledge& knowledge);

  const v1::JobRequest job_;
  v1::AnalyzeRequest search_;  // for each position of a batch, but for the position
  std::optional<ReviewedGames> review_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RUNNER_JOB_PLAN_H_
