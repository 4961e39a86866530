// The worth of each piece on each square, as a table built from the shares of files and ranks.

#ifndef KIBITZ_ENGINE_EVAL_PIECE_SQUARES_H_
#define KIBITZ_ENGINE_EVAL_PIECE_SQUARES_H_

#include <algorithm>
#include <array>

#include "engine/board/types.h"
#include "engine/eval/weights.h"

namespace kibitz {

using PieceSquareTable = std::array<std::array<std::array<Tapered, kNumSquares>, kNumPieceTypes>, kNumColors>;

KIBITZ_WEIGHT PieceSquareTable MakePieceSquares() {
  PieceSquareTable table{};
  for (int type = 0; type < kNumPieceTypes; ++type) {
    for (int index = 0; index < kNumSquares; ++index) {
      const Square square = SquareAt(index);
      const Tapered share = weights::kSquares[type].file[std::min(FileOf(square), 7 - FileOf(square))] +
                            weights::kSquares[type].rank[RankOf(square)];
      table[0][type][index] = share;
      table[1][type][Index(FlipRank(square))] = share;
    }
  }
  return table;
}

KIBITZ_WEIGHT PieceSquareTable kPieceSquares = MakePieceSquares();

inline Tapered PieceSquare(Color color, PieceType type, Square square) {
  return kPieceSquares[Index(color)][Index(type)][Index(square)];
}

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_EVAL_PIECE_SQUARES_H_
