// What the steps of one node of the search tell each other. For the sources of Worker only.

#ifndef KIBITZ_ENGINE_SEARCH_NODE_STATE_H_
#define KIBITZ_ENGINE_SEARCH_NODE_STATE_H_

#include <optional>

#include "engine/board/move.h"
#include "engine/board/position.h"
#include "engine/search/score.h"
#include "engine/search/transposition_table.h"
#include "engine/search/worker.h"

namespace kibitz {

inline bool IsDecided(Value value) { return value > kTablebaseThreshold || value < -kTablebaseThreshold; }

// Neither takes nor promotes.
inline bool IsQuiet(const Position& position, Move move) {
  return move.kind() != Move::Kind::kPromotion && !position.IsCapture(move);
}

inline bool OnlyPawnsLeft(const Board& board, Color side) {
  return (board.Of(side) & ~board.Of(PieceType::kPawn) & ~board.Of(PieceType::kKing)) == 0;
}

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

// A move that a node looks at.
struct Worker::Candidate {
  Move move;
  int number;  // 1 is the first
  bool quiet;
  int history;
  int extension = 0;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_NODE_STATE_H_
