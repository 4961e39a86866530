#include "engine/board/attacks/attacks.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

#include "engine/board/attacks/slider_table.h"
#include "engine/board/bitboard.h"
#include "engine/board/types.h"

namespace kibitz {
namespace {

// Checks that a piece on `from` attacks exactly the squares for which `reaches(files, ranks)` holds.
template <typename Reaches>
void ExpectAttacks(Square from, Bitboard attacks, Reaches reaches) {
  for (int i = 0; i < kNumSquares; ++i) {
    const Square to = SquareAt(i);
    EXPECT_EQ(Contains(attacks, to), reaches(FileOf(to) - FileOf(from), RankOf(to) - RankOf(from)))
        << Index(from) << " to " << i;
  }
}

TEST(AttacksTest, KnightsLeapTwoAndOne) {
  for (int i = 0; i < kNumSquares; ++i) {
    ExpectAttacks(SquareAt(i), KnightAttacks(SquareAt(i)),
                  [](int files, int ranks) { return std::abs(files * ranks) == 2; });
  }
}

TEST(AttacksTest, KingsStepOneSquare) {
  for (int i = 0; i < kNumSquares; ++i) {
    ExpectAttacks(SquareAt(i), KingAttacks(SquareAt(i)), [](int files, int ranks) {
      return std::abs(files) <= 1 && std::abs(ranks) <= 1 && (files != 0 || ranks != 0);
    });
  }
}

TEST(AttacksTest, PawnsAttackForwardAndSideways) {
  for (Color color : {Color::kWhite, Color::kBlack}) {
    const int forward = color == Color::kWhite ? 1 : -1;
    for (int i = 0; i < kNumSquares; ++i) {
      ExpectAttacks(SquareAt(i), PawnAttacks(color, SquareAt(i)),
                    [=](int files, int ranks) { return std::abs(files) == 1 && ranks == forward; });
    }
  }
}

TEST(AttacksTest, PawnSetsAttackWhatTheirPawnsAttack) {
  const Bitboard pawns = Bit(Square::kA2) | Bit(Square::kD5) | Bit(Square::kH7);
  Bitboard white = 0, black = 0;
  for (Square pawn : Squares(pawns)) {
    white |= PawnAttacks(Color::kWhite, pawn);
    black |= PawnAttacks(Color::kBlack, pawn);
  }
  EXPECT_EQ(PawnSetAttacks<Color::kWhite>(pawns), white);
  EXPECT_EQ(PawnSetAttacks<Color::kBlack>(pawns), black);
}

TEST(AttacksTest, EachPieceAttacksByItsKind) {
  const Square square = Square::kD4;
  const Bitboard occupied = Bit(Square::kD6) | Bit(Square::kB4) | Bit(Square::kF6) | Bit(Square::kE3);
  const Bitboard rook = WalkAttacks(SliderKind::kRook, square, occupied);
  const Bitboard bishop = WalkAttacks(SliderKind::kBishop, square, occupied);
  EXPECT_EQ(AttacksFrom<PieceType::kKnight>(square, occupied), KnightAttacks(square));
  EXPECT_EQ(AttacksFrom<PieceType::kBishop>(square, occupied), bishop);
  EXPECT_EQ(AttacksFrom<PieceType::kRook>(square, occupied), rook);
  EXPECT_EQ(AttacksFrom<PieceType::kQueen>(square, occupied), rook | bishop);
  EXPECT_EQ(AttacksFrom<PieceType::kKing>(square, occupied), KingAttacks(square));
}

// Written with the compiler's own names for its targets, beside the choice that is tested.
TEST(AttacksTest, SlidersFollowTheBuildsTarget) {
#if !defined(__BMI2__) || defined(__bdver4__) || defined(__znver1__) || defined(__znver2__)
  EXPECT_EQ(std::string_view(Sliders::kName), "magic");
#else
  EXPECT_EQ(std::string_view(Sliders::kName), "pext");
#endif
}

}  // namespace
}  // namespace kibitz
