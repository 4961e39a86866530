// The static value of a position, for the search, and the same explained, for people.

#ifndef KIBITZ_ENGINE_EVAL_EVALUATE_H_
#define KIBITZ_ENGINE_EVAL_EVALUATE_H_

#include "engine/board/position.h"
#include "engine/eval/pawn_structure.h"
#include "engine/eval/trace.h"

namespace kibitz {

inline constexpr int kFullPhase = 24;

// For the side to move, in the units of the weights, never near a mate. Mirrored positions have the same value. Without
// meaning in check.
int Evaluate(const Position& position, PawnTable& pawns);

// The same, term by term.
EvaluationTrace ExplainEvaluation(const Position& position);

// What a piece is worth in an exchange.
constexpr int PieceValue(PieceType type) {
  constexpr int kValues[] = {100, 325, 335, 500, 975, 0, 0};
  return kValues[Index(type)];
}

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_EVAL_EVALUATE_H_
