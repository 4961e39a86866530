// Between the wire and what searches many positions. Every error names the field's path.

#ifndef KIBITZ_SERVER_CONVERSION_BATCH_H_
#define KIBITZ_SERVER_CONVERSION_BATCH_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
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

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_CONVERSION_BATCH_H_
