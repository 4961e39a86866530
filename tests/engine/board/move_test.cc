#include "engine/board/move.h"

#include <gtest/gtest.h>

#include "engine/board/types.h"

namespace kibitz {
namespace {

static_assert(sizeof(Move) == 2);

TEST(MoveTest, KeepsItsParts) {
  for (Move::Kind kind : {Move::Kind::kNormal, Move::Kind::kEnPassant, Move::Kind::kCastling}) {
    for (int from = 0; from < kNumSquares; ++from) {
      for (int to = 0; to < kNumSquares; ++to) {
        const Move move(SquareAt(from), SquareAt(to), kind);
        ASSERT_EQ(Index(move.from()), from);
        ASSERT_EQ(Index(move.to()), to);
        ASSERT_EQ(move.kind(), kind);
        ASSERT_EQ(move.promotion(), PieceType::kNone);
        ASSERT_EQ(Move::FromBits(move.bits()), move);
      }
    }
  }
}

TEST(MoveTest, KeepsThePromotion) {
  for (PieceType type : {PieceType::kKnight, PieceType::kBishop, PieceType::kRook, PieceType::kQueen}) {
    const Move move = Move::Promotion(Square::kB7, Square::kA8, type);
    EXPECT_EQ(move.kind(), Move::Kind::kPromotion);
    EXPECT_EQ(move.promotion(), type);
    EXPECT_EQ(move.from(), Square::kB7);
    EXPECT_EQ(move.to(), Square::kA8);
  }
}

TEST(MoveTest, NoMoveIsNone) {
  EXPECT_TRUE(Move().IsNone());
  EXPECT_FALSE(Move(Square::kE2, Square::kE4).IsNone());
}

TEST(MoveListTest, AddsAndFinds) {
  MoveList moves;
  EXPECT_TRUE(moves.empty());
  moves.Add(Move(Square::kE2, Square::kE4));
  moves.Add(Move(Square::kG1, Square::kF3));
  EXPECT_EQ(moves.size(), 2);
  EXPECT_EQ(moves[1], Move(Square::kG1, Square::kF3));
  EXPECT_TRUE(moves.Contains(Move(Square::kE2, Square::kE4)));
  EXPECT_FALSE(moves.Contains(Move(Square::kE2, Square::kE3)));
  EXPECT_FALSE(moves.Contains(Move(Square::kE2, Square::kE4, Move::Kind::kCastling)));
}

}  // namespace
}  // namespace kibitz
