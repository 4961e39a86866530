// A move of the root and what the search has found behind it.

#ifndef KIBITZ_ENGINE_SEARCH_ROOT_MOVE_H_
#define KIBITZ_ENGINE_SEARCH_ROOT_MOVE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/board/move.h"
#include "engine/search/score.h"

namespace kibitz {

struct RootMove {
  explicit RootMove(Move m) : move(m), pv{m} {}

  Move move;
  Value value = -kInfinite;     // of the current iteration, if it was searched to a value
  Value previous = -kInfinite;  // of the iteration before
  Score::Bound bound = Score::Bound::kExact;
  int seldepth = 0;
  std::int64_t nodes = 0;
  std::vector<Move> pv;
  // What tablebases say of the move, if they cover the root: moves of a higher rank come first whatever the search
  // finds.
  int tablebase_rank = 0;
  std::optional<Value> tablebase_value;
};

// Best first. Equals stay in their order, as the next search wants them.
void SortByValue(std::vector<RootMove>& moves, std::size_t begin, std::size_t end);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_ROOT_MOVE_H_
