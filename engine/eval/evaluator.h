// What the search asks for the static value of a position, whatever stands behind it: terms over bitboards that are
// added up anew each time, or a net that keeps its sums from move to move.

#ifndef KIBITZ_ENGINE_EVAL_EVALUATOR_H_
#define KIBITZ_ENGINE_EVAL_EVALUATOR_H_

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "engine/board/move.h"
#include "engine/board/position.h"

namespace kibitz {

// What is left of a value when moves without a capture or a pawn move bring the draw by the fifty-move rule near.
constexpr int DampByClock(int value, int halfmove_clock) { return value * (220 - std::min(halfmove_clock, 100)) / 220; }

// Belongs to one worker of the search, which tells it of every move. An evaluator may use that to keep what it needs up
// to date, at once or when it is next asked for a value, or ignore it.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  // A search begins here. What was told before is void.
  virtual void Reset(const Position& /*root*/) {}

  // Before a legal move is made, and when it is unmade: always in pairs, the last move first.
  virtual void OnMakeMove(const Position& /*before*/, Move /*move*/) {}
  virtual void OnUnmakeMove() {}
  // The same for a pass, which turns the side to move.
  virtual void OnMakeNullMove() {}
  virtual void OnUnmakeNullMove() {}

  // The value of the position that has been reached: the root with all moves made that were not unmade. For the side to
  // move, in the search's units, never near a mate, and the same for mirrored positions. Without meaning in check.
  virtual int Evaluate(const Position& position) = 0;

  // For another game: forgets all that it has not been told by Reset and since.
  virtual void Clear() {}
};

// A way to evaluate, of which each worker has an evaluator of its own.
struct EvaluatorKind {
  std::string name;
  std::size_t bytes;  // that an evaluator takes
  std::function<std::unique_ptr<Evaluator>()> make;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_EVAL_EVALUATOR_H_
