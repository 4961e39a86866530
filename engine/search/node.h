// One node of the search tree: what is asked of it, what it finds out, and the best that it has found.

#ifndef KIBITZ_ENGINE_SEARCH_NODE_H_
#define KIBITZ_ENGINE_SEARCH_NODE_H_

#include <cstdint>
#include <optional>

#include "engine/board/move.h"
#include "engine/board/position.h"
#include "engine/search/score.h"
#include "engine/search/transposition_table.h"
#include "engine/search/window.h"

namespace kibitz {

// The root, other nodes of the principal variation, and all others: they are searched with a null window.
enum class NodeType : std::uint8_t { kRoot, kPv, kOther };

inline bool IsDecided(Value value) { return value > kTablebaseThreshold || value < -kTablebaseThreshold; }

// Neither takes nor promotes.
inline bool IsQuiet(const Position& position, Move move) {
  return move.kind() != Move::Kind::kPromotion && !position.IsCapture(move);
}

inline bool OnlyPawnsLeft(const Board& board, Color side) {
  return (board.Of(side) & ~board.Of(PieceType::kPawn) & ~board.Of(PieceType::kKing)) == 0;
}

// What the steps of a node tell each other.
struct Node {
  Node(Window window, int its_depth, bool is_cut_node)
      : alpha(window.alpha), beta(window.beta), depth(its_depth), cut_node(is_cut_node) {}

  Value alpha;  // rises with the best value
  Value beta;
  int depth;
  bool cut_node;  // expected to reach beta

  // Found out before moves are looked at.
  bool improving = false;
  Move table_move;               // legal, or none
  Value table_value = kNoValue;  // the entry's, counted from this node
  std::optional<TableEntry> entry;
  Value raw_evaluation = kNoValue;
  Value evaluation = kNoValue;  // corrected, and bettered by what the table knows
  // Between these a tablebase has put the value.
  Value floor = -kInfinite;
  Value ceiling = kInfinite;

  Value best = -kInfinite;
  Move best_move;  // that raised alpha, or none

  // Whether the table's value settles the window.
  bool IsSettledByTable() const {
    return table_value != kNoValue &&
           (table_value >= beta ? entry->bound == Bound::kLower || entry->bound == Bound::kExact
                                : entry->bound == Bound::kUpper || entry->bound == Bound::kExact);
  }
};

// A move that a node looks at.
struct Candidate {
  Move move;
  int number;  // 1 is the first
  bool quiet;
  int history;
  int extension = 0;
};

// What a node, or a step of it, has come to.
struct NodeResult {
  Move move;
  Value value;
  Bound bound;
  int depth;
};

// The moves that a node has searched in vain.
struct TriedMoves {
  MoveList quiets;
  MoveList captures;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_NODE_H_
