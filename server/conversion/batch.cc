#include "server/conversion/batch.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "server/conversion/analysis.h"
#include "server/conversion/common.h"
#include "server/conversion/position.h"
#include "server/conversion/refusal.h"
#include "server/errors/errors.h"

namespace kibitz::server {
namespace {

google::protobuf::ArenaOptions StartingWith(char* memory, std::size_t size) {
  google::protobuf::ArenaOptions options;
  options.initial_block = memory;
  options.initial_block_size = size;
  return options;
}

// Why the position of that index is refused: names the field by its path in the batch.
v1::AnalyzeSessionResponse::Refused RefusedPosition(int index, const absl::Status& why) {
  constexpr absl::string_view kPosition = "position";
  v1::AnalyzeSessionResponse::Refused refused = RefusedToWire(why);
  if (absl::StartsWith(refused.field(), kPosition)) {
    refused.set_field(absl::StrCat("positions[", index, "]", refused.field().substr(kPosition.size())));
  }
  return refused;
}

}  // namespace

absl::Status CheckPositions(const google::protobuf::RepeatedPtrField<v1::Position>& positions) {
  if (positions.empty()) return InvalidField("positions", "MISSING_FIELD", "has no position");
  if (positions.size() > kMaxBatchPositions) {
    return InvalidField("positions", "TOO_MANY_POSITIONS",
                        absl::StrCat(positions.size(), " positions are too many: the bound is ", kMaxBatchPositions));
  }
  return absl::OkStatus();
}

absl::StatusOr<v1::AnalyzeRequest> ParseBatch(const v1::AnalyzeBatchRequest& wire, const RequestCaps& caps) {
  if (absl::Status check = CheckPositions(wire.positions()); !check.ok()) return check;
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
  v1::AnalyzeBatchResponse response;
  response.mutable_item()->set_index(index);
  *response.mutable_item()->mutable_refused() = RefusedPosition(index, why);
  return response;
}

LegalMovesWriter::LegalMovesWriter() : memory_(new char[kMemory]), arena_(StartingWith(memory_.get(), kMemory)) {
  Clear();
}

void LegalMovesWriter::Clear() {
  arena_.Reset();
  message_ = google::protobuf::Arena::CreateMessage<v1::LegalMovesBatchResponse>(&arena_);
  size_ = 0;
}

void LegalMovesWriter::Add(int index, const v1::Position& wire) {
  v1::LegalMovesBatchResponse::Item& item = *message_->add_items();
  item.set_index(index);
  const absl::StatusOr<Position> position = ParsePosition(wire);
  if (position.ok()) {
    WriteLegalMoves(*position, *item.mutable_moves());
  } else {
    *item.mutable_refused() = RefusedPosition(index, position.status());
  }
  size_ += kPositionSize + item.moves().moves_size();
}

}  // namespace kibitz::server
