// Between the wire and the engine's plain structs: searches. Requests are checked here, and every error names the
// field's path.

#ifndef KIBITZ_SERVER_ANALYSIS_CONVERSION_H_
#define KIBITZ_SERVER_ANALYSIS_CONVERSION_H_

#include <chrono>

#include "absl/status/statusor.h"
#include "engine/engine.h"
#include "kibitz/v1/analysis.pb.h"
#include "server/scheduler/run_permits.h"
#include "server/server_options.h"

namespace kibitz::server {

// A checked AnalyzeRequest.
struct AnalyzeOrder {
  // Its limits always hold a time: the client's, or the server's bound.
  AnalysisRequest request;
  int threads = 1;
  Priority priority = Priority::kInteractive;
  std::chrono::milliseconds min_update_interval{0};
};

absl::StatusOr<AnalyzeOrder> ParseAnalyze(const v1::AnalyzeRequest& wire, const ServerOptions& options);

v1::AnalyzeResponse QueuedToWire(int place);
v1::AnalyzeResponse UpdateToWire(const AnalyzeOrder& order, const Analysis& analysis);
v1::AnalyzeResponse FinalToWire(const AnalyzeOrder& order, const Analysis& analysis, v1::StopReason stop_reason);
// The reason of a search that ended by itself. A search that was stopped ended for a reason that only the server knows.
v1::StopReason ToWire(StopReason reason);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_ANALYSIS_CONVERSION_H_
