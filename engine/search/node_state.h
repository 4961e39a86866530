// What the steps of one node of the search tell each other. For the sources of Worker only.

#ifndef KIBITZ_ENGINE_SEARCH_NODE_STATE_H_
#define KIBITZ_ENGINE_SEARCH_NODE_STATE_H_

#include <optional>

#include "engine/board/move.h"
#include "engine/search/score.h"
#include "engine/search/transposition_table.h"
#include "engine/search/worker.h"

namespace kibitz {

// What a node finds out before it looks at moves.
struct Worker::NodeState {
  std::optional<TableEntry> entry;
  Value table_value = kNoValue;  // the entry's, counted from this node
  Move table_move;
  Value raw_evaluation = kNoValue;
  Value evaluation = kNoValue;  // corrected, and bettered by what the table knows
  bool improving = false;
  std::optional<Value> multi_cut;
  // Between these a tablebase has put the value.
  Value floor = -kInfinite;
  Value ceiling = kInfinite;

  // Whether the table's value settles a window's side.
  bool Settles(Value beta) const {
    return table_value != kNoValue &&
           (table_value >= beta ? entry->bound == Bound::kLower || entry->bound == Bound::kExact
                                : entry->bound == Bound::kUpper || entry->bound == Bound::kExact);
  }
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_NODE_STATE_H_
