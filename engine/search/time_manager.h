// How much of its time a search should take.

#ifndef KIBITZ_ENGINE_SEARCH_TIME_MANAGER_H_
#define KIBITZ_ENGINE_SEARCH_TIME_MANAGER_H_

#include <chrono>
#include <optional>

#include "engine/board/types.h"
#include "engine/search/limits.h"

namespace kibitz {

// Two bounds: after the first no new iteration begins, at the second the search ends wherever it is.
struct TimeBudget {
  std::chrono::nanoseconds soft;
  std::chrono::nanoseconds hard;
};

// None when the limits have no time in them.
std::optional<TimeBudget> PlanTime(const Limits& limits, Color side_to_move);

// The soft bound stretched or shrunk, in per mille, by how sure the search seems: a best move that has stood for
// `stable_iterations`, a value that fell by `drop`, and the share of nodes (in per mille) that the best move took.
int SoftTimeScale(int stable_iterations, int drop, int best_move_share);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_TIME_MANAGER_H_
