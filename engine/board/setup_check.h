// What makes a set-up position legal.

#ifndef KIBITZ_ENGINE_BOARD_SETUP_CHECK_H_
#define KIBITZ_ENGINE_BOARD_SETUP_CHECK_H_

#include "absl/status/status.h"
#include "engine/board/board.h"
#include "engine/board/position.h"

namespace kibitz {

// OK, or INVALID_ARGUMENT with the first fault found, in words for the person who wrote the position.
absl::Status CheckSetup(const Setup& setup);

// Whether some pawn of the side to move may legally capture on the board's en-passant square.
bool HasLegalEnPassant(const Board& board);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_SETUP_CHECK_H_
