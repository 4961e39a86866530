// Static exchange evaluation: who wins the captures on one square.

#ifndef KIBITZ_ENGINE_SEARCH_SEE_H_
#define KIBITZ_ENGINE_SEARCH_SEE_H_

#include "engine/board/position.h"

namespace kibitz {

// Whether the exchange that `move` begins brings its side at least `threshold`, in the units of PieceValue, both sides
// always capturing with their least valuable piece and stopping when it pays. Promotions, castling and en passant count
// as even.
bool SeeAtLeast(const Position& position, Move move, int threshold);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_SEE_H_
