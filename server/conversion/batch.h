// Between the wire and what is asked of many positions at once. Every error names the field's path.

#ifndef KIBITZ_SERVER_CONVERSION_BATCH_H_
#define KIBITZ_SERVER_CONVERSION_BATCH_H_

#include <cstddef>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "google/protobuf/arena.h"
#include "google/protobuf/repeated_field.h"
#include "kibitz/v1/analysis.pb.h"
#include "server/conversion/request_caps.h"

namespace kibitz::server {

// The most positions of one batch.
inline constexpr int kMaxBatchPositions = 10'000;

// The request for each position of the batch, all but the position itself. An error is the call's.
absl::StatusOr<v1::AnalyzeRequest> ParseBatch(const v1::AnalyzeBatchRequest& wire, const RequestCaps& caps);

v1::AnalyzeBatchResponse ItemToWire(int index, const v1::AnalyzeResponse::Final& final);
// Names the field by its path in the batch.
v1::AnalyzeBatchResponse ItemToWire(int index, const absl::Status& why);

// INVALID_ARGUMENT unless there are positions, and no more than may be.
absl::Status CheckPositions(const google::protobuf::RepeatedPtrField<v1::Position>& positions);

// Answers for the legal moves of positions, gathered to messages of a size that is good to send. What one message takes
// in memory the next takes again.
class LegalMovesWriter {
 public:
  LegalMovesWriter();

  void Add(int index, const v1::Position& position);
  bool IsEmpty() const { return message_->items().empty(); }
  bool IsFull() const { return size_ >= kFullSize; }
  const v1::LegalMovesBatchResponse& message() const { return *message_; }
  // Begins another message.
  void Clear();

 private:
  // In moves, of some twenty-five bytes; a position counts as a few of them.
  static constexpr int kFullSize = 2000;
  static constexpr int kPositionSize = 5;
  static constexpr std::size_t kMemory = 512 << 10;

  const std::unique_ptr<char[]> memory_;
  google::protobuf::Arena arena_;
  v1::LegalMovesBatchResponse* message_;
  int size_ = 0;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_CONVERSION_BATCH_H_
