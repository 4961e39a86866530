// The door to the search: a request in, an analysis out through one callback. No wire types, no threads of its own.

#ifndef KIBITZ_ENGINE_ENGINE_H_
#define KIBITZ_ENGINE_ENGINE_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/board/move.h"
#include "engine/board/position.h"
#include "engine/search/limits.h"
#include "engine/search/score.h"
#include "engine/search/stopper.h"

namespace kibitz {

// The name and version of the engine, and how it was built: compiler and slider method.
absl::string_view EngineVersion();
std::string EngineBuild();
// What the search evaluates positions with.
absl::string_view EvaluationName();

struct AnalysisRequest {
  Position position;
  Limits limits;
  int multi_pv = 1;
  // Root moves to consider; empty means all. They must be legal.
  std::vector<Move> search_moves;
};

// One line of play. The moves are legal, one after the other.
struct AnalysisLine {
  Score score;
  Wdl wdl;
  std::vector<Move> pv;
};

// How far a search has come.
struct Analysis {
  int depth = 0;
  int seldepth = 0;
  std::int64_t nodes = 0;
  std::chrono::nanoseconds elapsed{0};
  int hashfull = 0;  // per mille
  std::int64_t tb_hits = 0;
  std::vector<AnalysisLine> lines;  // best first
};

struct AnalysisResult {
  Analysis analysis;
  StopReason stop_reason = StopReason::kDepth;
};

// Searches until a limit is reached or `stop` is set, on the calling thread. Calls `on_update` after each iteration.
AnalysisResult Analyze(const AnalysisRequest& request, const std::atomic<bool>& stop,
                       const std::function<void(const Analysis&)>& on_update);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_ENGINE_H_
