#include "server/runner/part_work.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "server/conversion/batch.h"
#include "server/errors/errors.h"

namespace kibitz::server {

void PartWork::OnFinal(int index, const v1::AnalyzeResponse::Final& final) {
  nodes_ += final.result().nodes();
  *found_.add_items() = std::move(*ItemToWire(first_ + index, final).mutable_item());
}

void PartWork::OnRefused(int index, const absl::Status& why) {
  if (RetryAfter(why).has_value()) {
    no_room_ = why;
  } else if (absl::IsInternal(why)) {
    failed_ = why;
  } else {
    *found_.add_items() = std::move(*ItemToWire(first_ + index, why).mutable_item());
  }
}

void PartWork::OnEnd(const absl::Status& why) { on_end_(OutcomeOf(why)); }

PartWork::Outcome PartWork::OutcomeOf(const absl::Status& why) const {
  const auto give_back = [](bool failed, const absl::Status& status) {
    JobQueue::GiveBackReason reason{
        .failed = failed, .reason = ReasonOf(status), .message = std::string(status.message())};
    reason.pause = absl::ToChronoMilliseconds(RetryAfter(status).value_or(absl::ZeroDuration()));
    return reason;
  };
  if (!why.ok()) {
    return JobQueue::GiveBackReason{.reason = "DRAINED", .message = "the server ended before it was done"};
  }
  if (!failed_.ok()) return give_back(true, failed_);
  if (!no_room_.ok()) return give_back(false, no_room_);
  v1::JobResults found = found_;
  std::sort(found.mutable_items()->begin(), found.mutable_items()->end(),
            [](const auto& a, const auto& b) { return a.index() < b.index(); });
  PartResult result;
  result.positions = positions_;
  result.results = found.SerializeAsString();
  result.nodes = nodes_;
  result.elapsed = std::chrono::steady_clock::now() - begun_;
  return result;
}

}  // namespace kibitz::server
