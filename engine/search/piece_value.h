// What pieces are worth where the search trades them: in exchanges, in the order of captures, in margins.

#ifndef KIBITZ_ENGINE_SEARCH_PIECE_VALUE_H_
#define KIBITZ_ENGINE_SEARCH_PIECE_VALUE_H_

#include "engine/board/types.h"
#include "engine/search/score.h"

namespace kibitz {

// A king, which is never won, is worth nothing, and so is no piece.
constexpr Value PieceValue(PieceType type) {
  constexpr Value kValues[] = {100, 325, 335, 500, 975, 0, 0};
  return kValues[Index(type)];
}

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_PIECE_VALUE_H_
