#include "engine/engine.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "engine/board/attacks/attacks.h"
#include "engine/board/movegen.h"
#include "engine/search/iterative_deepening.h"

namespace kibitz {
namespace {

// A logistic curve in integers would save nothing here: the figures are for people, and rounded to per mille.
Wdl ChancesOf(const Score& score) {
  if (score.kind == Score::Kind::kMate) return score.amount > 0 ? Wdl{1000, 0, 0} : Wdl{0, 0, 1000};
  const auto win_chance = [](double centipawns) {
    return static_cast<int>(std::lround(1000 / (1 + std::exp((100 - centipawns) / 60))));
  };
  const int win = win_chance(score.amount);
  const int loss = win_chance(-score.amount);
  return {win, 1000 - win - loss, loss};
}

Analysis ToAnalysis(const Iteration& iteration, const Stopper& stopper) {
  Analysis analysis;
  analysis.depth = iteration.depth;
  analysis.seldepth = iteration.seldepth;
  analysis.nodes = stopper.nodes();
  analysis.elapsed = stopper.Elapsed();
  for (const SearchedLine& line : iteration.lines) {
    const Score score = Score::FromValue(line.value);
    analysis.lines.push_back({score, ChancesOf(score), line.pv});
  }
  return analysis;
}

}  // namespace

absl::string_view EngineVersion() { return "Kibitz 0.1.0"; }

std::string EngineBuild() {
#ifdef __VERSION__
  return absl::StrCat(__VERSION__, ", sliders by ", Sliders::kName);
#else
  return absl::StrCat("unknown compiler, sliders by ", Sliders::kName);
#endif
}

absl::string_view EvaluationName() { return "classical"; }

AnalysisResult Analyze(const AnalysisRequest& request, const std::atomic<bool>& stop,
                       const std::function<void(const Analysis&)>& on_update) {
  Stopper stopper(request.limits, stop);
  std::vector<Move> root_moves = request.search_moves;
  if (root_moves.empty()) {
    const MoveList legal = LegalMoves(request.position);
    root_moves.assign(legal.begin(), legal.end());
  }
  AnalysisResult result;
  if (root_moves.empty()) {
    result.stop_reason = StopReason::kNoLegalMoves;
    return result;
  }
  // Until the first iteration is complete any legal move is the best known.
  result.analysis.lines.push_back({Score(), Wdl(), {root_moves.front()}});
  result.stop_reason = DeepenIteratively(request.position, std::move(root_moves), std::max(1, request.multi_pv),
                                         request.limits, stopper, [&](const Iteration& iteration) {
                                           result.analysis = ToAnalysis(iteration, stopper);
                                           on_update(result.analysis);
                                         });
  result.analysis.nodes = stopper.nodes();
  result.analysis.elapsed = stopper.Elapsed();
  return result;
}

}  // namespace kibitz
