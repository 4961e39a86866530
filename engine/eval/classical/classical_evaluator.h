// The classical evaluation: terms over bitboards, added up, for the search; and the same explained, for people.

#ifndef KIBITZ_ENGINE_EVAL_CLASSICAL_CLASSICAL_EVALUATOR_H_
#define KIBITZ_ENGINE_EVAL_CLASSICAL_CLASSICAL_EVALUATOR_H_

#include "engine/board/position.h"
#include "engine/eval/classical/evaluation_weights.h"
#include "engine/eval/classical/pawn_structure.h"
#include "engine/eval/classical/trace.h"

namespace kibitz {

// Remembers pawn structures between evaluations, about 230 KB of them, and nothing else. Not shared.
class ClassicalEvaluator final {
 public:
  // For the side to move, in the units of the weights, never near a mate. Mirrored positions have the same value.
  // Without meaning in check.
  int Evaluate(const Position& position);
  // Forgets everything.
  void Clear() { pawns_.Clear(); }

 private:
  PawnTable pawns_;
};

// The value that such an evaluator gives, or would give with other weights, term by term.
EvaluationTrace ExplainEvaluation(const Position& position, const EvaluationWeights& weights = kEvaluationWeights);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_EVAL_CLASSICAL_CLASSICAL_EVALUATOR_H_
