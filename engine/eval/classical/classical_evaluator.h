// The classical evaluation: terms over bitboards, added up, for the search; and the same explained, for people.

#ifndef KIBITZ_ENGINE_EVAL_CLASSICAL_CLASSICAL_EVALUATOR_H_
#define KIBITZ_ENGINE_EVAL_CLASSICAL_CLASSICAL_EVALUATOR_H_

#include <memory>

#include "engine/board/position.h"
#include "engine/eval/classical/evaluation_weights.h"
#include "engine/eval/classical/pawn_structure.h"
#include "engine/eval/classical/trace.h"
#include "engine/eval/evaluator.h"

namespace kibitz {

// Computes each value anew, but for the pawn structures, of which it remembers about 230 KB. So it can be asked for any
// position, whatever it has been told.
class ClassicalEvaluator final : public Evaluator {
 public:
  int Evaluate(const Position& position) override;
  void Clear() override { pawns_.Clear(); }

 private:
  PawnTable pawns_;
};

EvaluatorKind ClassicalKind();

// The value that such an evaluator gives, or would give with other weights, term by term.
EvaluationTrace ExplainEvaluation(const Position& position, const EvaluationWeights& weights = kEvaluationWeights);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_EVAL_CLASSICAL_CLASSICAL_EVALUATOR_H_
