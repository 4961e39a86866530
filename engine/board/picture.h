// Boards and bitboards as text for people.

#ifndef KIBITZ_ENGINE_BOARD_PICTURE_H_
#define KIBITZ_ENGINE_BOARD_PICTURE_H_

#include <string>

#include "engine/board/bitboard.h"
#include "engine/board/board.h"

namespace kibitz {

// The board with ranks and files at its edges, White at the bottom: letters for pieces, points for empty squares.
std::string BoardPicture(const Board& board);

// One bitboard in the same shape: 1 for a square of the set, a point for the others.
std::string BitboardPicture(Bitboard set);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_PICTURE_H_
