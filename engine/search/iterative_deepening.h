// Deeper and deeper searches of one position, each better ordered by the one before.

#ifndef KIBITZ_ENGINE_SEARCH_ITERATIVE_DEEPENING_H_
#define KIBITZ_ENGINE_SEARCH_ITERATIVE_DEEPENING_H_

#include <functional>
#include <vector>

#include "engine/board/move.h"
#include "engine/board/position.h"
#include "engine/search/alpha_beta.h"
#include "engine/search/limits.h"
#include "engine/search/stopper.h"

namespace kibitz {

// The lines of one complete iteration, best first.
struct Iteration {
  int depth = 0;
  int seldepth = 0;
  std::vector<SearchedLine> lines;
};

// Searches the root moves (legal, and at least one) for `multi_pv` lines until a limit is reached. Calls `on_iteration`
// after each complete one. Says why it ended.
StopReason DeepenIteratively(const Position& position, std::vector<Move> root_moves, int multi_pv, const Limits& limits,
                             Stopper& stopper, const std::function<void(const Iteration&)>& on_iteration);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_ITERATIVE_DEEPENING_H_
