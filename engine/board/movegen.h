// The legal moves of a position.

#ifndef KIBITZ_ENGINE_BOARD_MOVEGEN_H_
#define KIBITZ_ENGINE_BOARD_MOVEGEN_H_

#include "engine/board/board.h"
#include "engine/board/move.h"
#include "engine/board/position.h"

namespace kibitz {

// All legal moves, in no particular order.
MoveList LegalMoves(const Board& board);
inline MoveList LegalMoves(const Position& position) { return LegalMoves(position.board()); }

// How many there are, without listing them.
int CountLegalMoves(const Board& board);

// For a search that asks for moves in stages. Each appends strictly legal moves. Captures and quiets together are all
// legal moves: every capture and every promotion is in the first, everything else in the second.
void GenerateCaptures(const Board& board, MoveList& moves);
void GenerateQuiets(const Board& board, MoveList& moves);
// All answers to a check. The side to move must be in check.
void GenerateEvasions(const Board& board, MoveList& moves);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_MOVEGEN_H_
