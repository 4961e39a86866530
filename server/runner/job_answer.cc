#include "server/runner/job_answer.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/conversion/job.h"
#include "server/errors/errors.h"

namespace kibitz::server {

JobAnswer::JobAnswer(const JobSpec& spec, const std::shared_ptr<const JobPlan>& plan)
    : parts_(spec.parts), part_size_(spec.part_size) {
  if (plan->review() != nullptr) review_.emplace(*plan->review());
}

absl::StatusOr<v1::JobResults> JobAnswer::Next(const PartResult& result) {
  v1::JobResults found;
  if (!found.ParseFromString(result.results)) {
    return Failure(absl::StatusCode::kInternal, "INTERNAL",
                   absl::StrCat("the results of part ", result.part, " cannot be read"));
  }
  if (!review_.has_value()) {
    *found.mutable_origin() = OriginToWire(result);
    return found;
  }
  v1::JobResults wire;
  *wire.mutable_origin() = OriginToWire(result);
  AddEvents(result, found, wire);
  return wire;
}

void JobAnswer::AddEvents(const PartResult& result, const v1::JobResults& found, v1::JobResults& wire) {
  const auto add = [&wire](std::vector<ReviewedGames::Event> events) {
    for (ReviewedGames::Event& event : events) *wire.add_events() = std::move(event);
  };
  if (result.part == 0) add(review_->Begin());
  const int first = result.part * part_size_;
  std::vector<const v1::AnalyzeResponse::Final*> finals(static_cast<std::size_t>(result.positions));
  for (const v1::AnalyzeBatchResponse::Item& item : found.items()) {
    const int place = item.index() - first;
    if (place >= 0 && place < result.positions && item.has_final()) finals[place] = &item.final();
  }
  for (int place = 0; place < result.positions; ++place) {
    add(finals[place] == nullptr ? review_->Skip(first + place) : review_->Put(first + place, *finals[place]));
  }
  if (result.part == parts_ - 1) add(review_->CutShort());
}

}  // namespace kibitz::server
