// An order of moves that both colours share, so that a game and its mirror image are searched alike.

#ifndef KIBITZ_ENGINE_SEARCH_MOVE_ORDER_H_
#define KIBITZ_ENGINE_SEARCH_MOVE_ORDER_H_

#include "engine/board/move.h"
#include "engine/board/types.h"

namespace kibitz {

// A place among all moves of a position: that of a move and of its mirror image is the same.
constexpr int OrderOf(Move move, Color mover) {
  constexpr int kFlipBoth = 56 | 56 << 6;
  return mover == Color::kWhite ? move.bits() : move.bits() ^ kFlipBoth;
}

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_MOVE_ORDER_H_
