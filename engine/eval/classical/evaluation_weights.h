// The weights with a table of what each piece is worth on each square, built from the shares of files and ranks.

#ifndef KIBITZ_ENGINE_EVAL_CLASSICAL_EVALUATION_WEIGHTS_H_
#define KIBITZ_ENGINE_EVAL_CLASSICAL_EVALUATION_WEIGHTS_H_

#include <algorithm>
#include <array>

#include "engine/board/types.h"
#include "engine/eval/classical/tapered.h"
#include "engine/eval/classical/weights.h"

namespace kibitz {

using PieceSquareTable = std::array<std::array<std::array<Tapered, kNumSquares>, kNumPieceTypes>, kNumColors>;

constexpr PieceSquareTable MakePieceSquares(const Weights& weights) {
  PieceSquareTable table{};
  for (int type = 0; type < kNumPieceTypes; ++type) {
    for (int index = 0; index < kNumSquares; ++index) {
      const Square square = SquareAt(index);
      const Tapered share = weights.squares[type].file[std::min(FileOf(square), 7 - FileOf(square))] +
                            weights.squares[type].rank[RankOf(square)];
      table[0][type][index] = share;
      table[1][type][Index(FlipRank(square))] = share;
    }
  }
  return table;
}

// What an evaluation is made with.
struct EvaluationWeights : Weights {
  constexpr explicit EvaluationWeights(const Weights& weights)
      : Weights(weights), piece_squares(MakePieceSquares(weights)) {}

  constexpr Tapered PieceSquare(Color color, PieceType type, Square square) const {
    return piece_squares[Index(color)][Index(type)][Index(square)];
  }

  PieceSquareTable piece_squares;
};

// The engine's own.
inline constexpr EvaluationWeights kEvaluationWeights{Weights()};

// The terms are templates over a pointer to weights. This one points to the engine's own, and the compiler knows it:
// the search's evaluation has its weights as constants.
struct OwnWeights {
  constexpr const EvaluationWeights* operator->() const { return &kEvaluationWeights; }
};
// This one to those that somebody brings.
using GivenWeights = const EvaluationWeights*;

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_EVAL_CLASSICAL_EVALUATION_WEIGHTS_H_
