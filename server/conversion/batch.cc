#include "server/conversion/batch.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "server/conversion/analysis.h"
#include "server/conversion/common.h"
#include "server/conversion/refusal.h"
#include "server/errors/errors.h"

namespace kibitz::server {

absl::StatusOr<v1::AnalyzeRequest> ParseBatch(const v1::AnalyzeBatchRequest& wire, const RequestCaps& caps) {
  if (wire.positions().empty()) return InvalidField("positions", "MISSING_FIELD", "has no position");
  if (wire.positions_size() > kMaxBatchPositions) {
    return InvalidField(
        "positions", "TOO_MANY_POSITIONS",
        absl::StrCat(wire.positions_size(), " positions are too many: the bound is ", kMaxBatchPositions));
  }
  if (absl::Status check = CheckRange("threads", wire.threads(), 0, caps.max_threads); !check.ok()) return check;
  if (wire.limits().infinite() || wire.limits().has_clock()) {
    return InvalidField("limits", "UNBOUNDED_BATCH", "a batch goes by depth, nodes, movetime or mate");
  }
  v1::AnalyzeRequest request;
  *request.mutable_limits() = wire.limits();
  request.set_multi_pv(wire.all_moves() ? caps.max_multi_pv : wire.multi_pv());
  request.set_priority(wire.priority() == v1::PRIORITY_UNSPECIFIED ? v1::PRIORITY_BATCH : wire.priority());
  request.set_threads(1);
  request.set_reproducible(wire.reproducible());
  if (wire.has_cache()) *request.mutable_cache() = wire.cache();
  // What is wrong with it is wrong for every position.
  const absl::StatusOr<AnalysisSpec> spec = ParseAnalyze(request, caps);
  if (!spec.ok()) return spec.status();
  return request;
}

v1::AnalyzeBatchResponse ItemToWire(int index, const v1::AnalyzeResponse::Final& final) {
  v1::AnalyzeBatchResponse response;
  response.mutable_item()->set_index(index);
  *response.mutable_item()->mutable_final() = final;
  return response;
}

v1::AnalyzeBatchResponse ItemToWire(int index, const absl::Status& why) {
  constexpr absl::string_view kPosition = "position";
  v1::AnalyzeBatchResponse response;
  response.mutable_item()->set_index(index);
  v1::AnalyzeSessionResponse::Refused& refused = *response.mutable_item()->mutable_refused();
  refused = RefusedToWire(why);
  if (absl::StartsWith(refused.field(), kPosition)) {
    refused.set_field(absl::StrCat("positions[", index, "]", refused.field().substr(kPosition.size())));
  }
  return response;
}

}  // namespace kibitz::server
