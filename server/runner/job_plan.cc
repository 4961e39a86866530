#include "server/runner/job_plan.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/conversion/batch.h"
#include "server/conversion/game.h"
#include "server/errors/errors.h"

namespace kibitz::server {
namespace {

constexpr int kMaxPartSize = 50;
constexpr double kNodesPerSecond = 1e6;
// Of a search by depth alone, which may take anything.
constexpr double kSecondsByDepth = 0.25;

// How long a search takes, about.
double SecondsOf(const v1::Limits& limits) {
  std::optional<double> seconds;
  const auto least = [&](double bound) { seconds = std::min(bound, seconds.value_or(bound)); };
  if (limits.has_nodes()) least(static_cast<double>(limits.nodes()) / kNodesPerSecond);
  if (limits.has_movetime()) {
    least(static_cast<double>(limits.movetime().seconds()) + limits.movetime().nanos() / 1e9);
  }
  if (limits.has_depth() && !seconds.has_value()) least(kSecondsByDepth);
  return seconds.value_or(1);
}

// The same error, of a field of a job.
absl::Status Within(const char* path, const absl::Status& status) {
  const auto [field, description] = FaultOf(status);
  if (field.empty()) return status;
  return InvalidField(absl::StrCat(path, field), ReasonOf(status), description);
}

std::int64_t Share(std::int64_t total, int positions) {
  return std::max<std::int64_t>(1, total / std::max(1, positions));
}

void LowerNodes(std::int64_t nodes, v1::Limits& limits) {
  limits.set_nodes(limits.has_nodes() ? std::min(limits.nodes(), nodes) : nodes);
}

}  // namespace

absl::StatusOr<std::shared_ptr<const JobPlan>> JobPlan::Make(const v1::JobRequest& job, const RequestCaps& caps,
                                                             const ReviewKnowledge& knowledge) {
  const std::shared_ptr<JobPlan> plan(new JobPlan(job));
  const absl::Status status = job.has_review() ? Within("job.review.", plan->PlanReview(caps, knowledge))
                                               : Within("job.batch.", plan->PlanBatch(caps));
  if (!status.ok()) return status;
  return plan;
}

absl::Status JobPlan::PlanBatch(const RequestCaps& caps) {
  absl::StatusOr<v1::AnalyzeRequest> search = ParseBatch(job_.batch(), caps);
  if (!search.ok()) return search.status();
  search_ = *std::move(search);
  search_.set_priority(v1::PRIORITY_BATCH);
  if (job_.max_nodes() > 0) LowerNodes(Share(job_.max_nodes(), positions()), *search_.mutable_limits());
  return absl::OkStatus();
}

absl::Status JobPlan::PlanReview(const RequestCaps& caps, const ReviewKnowledge& knowledge) {
  absl::StatusOr<ReviewSpec> spec = ParseReview(job_.review(), caps);
  if (!spec.ok()) return spec.status();
  absl::StatusOr<std::vector<PgnGame>> games = ParseGames(job_.review());
  if (!games.ok()) return games.status();
  spec->search.set_priority(v1::PRIORITY_BATCH);
  if (const std::int64_t most = job_.max_nodes(); most > 0) {
    spec->budget.total_nodes = std::min(most, spec->budget.total_nodes.value_or(most));
  }
  if (const auto time = spec->budget.total_time) {
    const int positions = ReviewedGames(*games, *spec, knowledge).positions();
    LowerMovetime(std::chrono::milliseconds(Share(time->count(), positions)), *spec->search.mutable_limits());
  }
  review_.emplace(*std::move(games), *spec, knowledge);
  return absl::OkStatus();
}

int JobPlan::positions() const {
  return review_.has_value() ? review_->positions() : static_cast<int>(job_.batch().positions_size());
}

int JobPlan::PartSize(std::chrono::milliseconds part_time) const {
  if (positions() == 0) return 1;
  const double seconds = std::max(SecondsOf(RequestOf(0).limits()), 1e-6);
  const double positions = std::chrono::duration<double>(part_time).count() / seconds;
  return static_cast<int>(std::clamp<double>(std::floor(positions), 1, kMaxPartSize));
}

v1::AnalyzeRequest JobPlan::RequestOf(int index) const {
  if (review_.has_value()) return review_->RequestOf(index);
  v1::AnalyzeRequest request = search_;
  *request.mutable_position() = job_.batch().positions(index);
  return request;
}

}  // namespace kibitz::server
