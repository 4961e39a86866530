// Deeper and deeper searches of one position, each better ordered by the one before.

#ifndef KIBITZ_ENGINE_SEARCH_ITERATIVE_DEEPENING_H_
#define KIBITZ_ENGINE_SEARCH_ITERATIVE_DEEPENING_H_

#include <functional>
#include <vector>

#include "engine/search/root_move.h"
#include "engine/search/stopper.h"
#include "engine/search/time_manager.h"
#include "engine/search/worker.h"

namespace kibitz {

// What has been found so far: the lines come first, the best in front.
struct Iteration {
  int depth = 0;
  const std::vector<RootMove>& root_moves;
  int lines = 1;
};

// Searches the root moves (legal, at least one) for `lines` lines until the stopper stops it or its limits are met, and
// then says why by stopping the stopper. Calls `on_progress` after every iteration. At the end the root moves are in
// order.
void DeepenIteratively(Worker& worker, std::vector<RootMove>& root_moves, int lines, Stopper& stopper,
                       const std::function<void(const Iteration&)>& on_progress);

// A helper's share of the same search: it deepens for the table's sake until the stopper stops it.
void HelpDeepening(Worker& worker, std::vector<RootMove> root_moves, int helper, const Stopper& stopper);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_ITERATIVE_DEEPENING_H_
