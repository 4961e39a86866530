// Between the wire and the engine's plain structs: searches. Every error names the field's path.

#ifndef KIBITZ_SERVER_CONVERSION_ANALYSIS_H_
#define KIBITZ_SERVER_CONVERSION_ANALYSIS_H_

#include <chrono>
#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "engine/engine.h"
#include "kibitz/v1/analysis.pb.h"
#include "server/conversion/request_caps.h"

namespace kibitz::server {

// What a request has to do with the store.
struct CacheUse {
  bool answer = true;  // a stored result may answer
  bool begin = true;   // a search may begin from a stored result
  bool keep = true;    // what is found is to be stored
  bool only = false;   // nothing but a stored result may answer
  // What it must have; nothing: no stored result is known to be as good as a search.
  std::optional<int> min_depth{};
  std::optional<std::int64_t> min_nodes{};
  bool same_engine = false;
};

// A checked AnalyzeRequest.
struct AnalysisSpec {
  // Its limits always hold a time: the client's, or the server's bound.
  AnalysisRequest request;
  int threads = 1;
  bool batch = false;  // whether interactive work goes first
  std::chrono::milliseconds min_update_interval{0};
  CacheUse cache{};
};

absl::StatusOr<AnalysisSpec> ParseAnalyze(const v1::AnalyzeRequest& wire, const RequestCaps& caps);

v1::AnalyzeResponse QueuedToWire(int place);
v1::AnalyzeResponse UpdateToWire(const AnalysisSpec& spec, const Analysis& analysis);
v1::AnalyzeResponse FinalToWire(const AnalysisSpec& spec, const Analysis& analysis, v1::StopReason stop_reason);
v1::Score ToWire(const Score& score);
v1::Wdl ToWire(const Wdl& wdl);
// The reason of a search that ended by itself. A search that was stopped ended for a reason that only the server knows.
v1::StopReason ToWire(StopReason reason);

// As the contract spells it, without what all have in common: "DEPTH". In static storage.
const char* NameOf(v1::StopReason reason);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_CONVERSION_ANALYSIS_H_
