#include "engine/eval/evaluate.h"

#include <array>

#include "engine/board/attacks/attacks.h"

namespace kibitz {
namespace {

constexpr std::array<int, kNumPieceTypes> kValues = {100, 320, 330, 500, 950, 0};
// What each square that a piece attacks is worth.
constexpr std::array<int, kNumPieceTypes> kMobility = {0, 4, 4, 3, 1, 0};

int Material(const Board& board, Color color) {
  int value = 0;
  for (int type = 0; type < kNumPieceTypes; ++type)
    value += kValues[type] * Count(board.Of(color) & board.by_type[type]);
  return value;
}

template <PieceType kType>
int Mobility(const Board& board, Color color) {
  int squares = 0;
  for (Square from : Squares(board.Of(color, kType))) {
    squares += Count(AttacksFrom<kType>(from, board.Occupied()) & ~board.Of(color));
  }
  return squares * kMobility[Index(kType)];
}

int ValueOf(const Board& board, Color color) {
  return Material(board, color) + Mobility<PieceType::kKnight>(board, color) +
         Mobility<PieceType::kBishop>(board, color) + Mobility<PieceType::kRook>(board, color) +
         Mobility<PieceType::kQueen>(board, color);
}

}  // namespace

int PieceValue(PieceType type) { return kValues[Index(type)]; }

int Evaluate(const Position& position) {
  const Color us = position.side_to_move();
  return ValueOf(position.board(), us) - ValueOf(position.board(), ~us);
}

}  // namespace kibitz
