// The static value of a position, for the search.

#ifndef KIBITZ_ENGINE_EVAL_EVALUATE_H_
#define KIBITZ_ENGINE_EVAL_EVALUATE_H_

#include "engine/board/position.h"

namespace kibitz {

// Centipawns for the side to move, never near a mate. The same for both colours of mirrored positions.
int Evaluate(const Position& position);

// What a man is worth in an exchange, in centipawns.
int PieceValue(PieceType type);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_EVAL_EVALUATE_H_
