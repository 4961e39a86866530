#include "engine/board/attacks/geometry.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "engine/board/bitboard.h"
#include "engine/board/types.h"

namespace kibitz {
namespace {

int Sign(int n) { return (n > 0) - (n < 0); }

bool OnBoard(int file, int rank) { return file >= 0 && file < 8 && rank >= 0 && rank < 8; }

bool Aligned(Square a, Square b) {
  const int files = std::abs(FileOf(b) - FileOf(a)), ranks = std::abs(RankOf(b) - RankOf(a));
  return a != b && (files == 0 || ranks == 0 || files == ranks);
}

// The squares from `a`, exclusive, towards `b` up to the edge.
Bitboard RayThrough(Square a, Square b) {
  const int file_step = Sign(FileOf(b) - FileOf(a)), rank_step = Sign(RankOf(b) - RankOf(a));
  Bitboard ray = 0;
  int file = FileOf(a) + file_step, rank = RankOf(a) + rank_step;
  for (; OnBoard(file, rank); file += file_step, rank += rank_step) ray |= Bit(MakeSquare(file, rank));
  return ray;
}

template <typename Check>
void ForEachPair(Check check) {
  for (int a = 0; a < kNumSquares; ++a) {
    for (int b = 0; b < kNumSquares; ++b) check(SquareAt(a), SquareAt(b));
  }
}

TEST(GeometryTest, RaysEndAtTheEdge) {
  EXPECT_EQ(Ray(Direction::kNorth, Square::kD4), FileMask(3) & ~0ULL << 32);
  EXPECT_EQ(Ray(Direction::kWest, Square::kC1), Bit(Square::kA1) | Bit(Square::kB1));
  EXPECT_EQ(Ray(Direction::kNorthEast, Square::kF6), Bit(Square::kG7) | Bit(Square::kH8));
  EXPECT_EQ(Ray(Direction::kSouthEast, Square::kG3), Bit(Square::kH2));
  EXPECT_EQ(Ray(Direction::kEast, Square::kH5), 0u);
}

TEST(GeometryTest, OppositeRaysSeeEachOther) {
  ForEachPair([](Square a, Square b) {
    for (int i = 0; i < kNumDirections; ++i) {
      const Direction direction = static_cast<Direction>(i);
      ASSERT_EQ(Contains(Ray(direction, a), b), Contains(Ray(Opposite(direction), b), a));
    }
  });
}

TEST(GeometryTest, FirstFourDirectionsLeadToHigherSquares) {
  for (int i = 0; i < kNumDirections; ++i) {
    for (int square = 0; square < kNumSquares; ++square) {
      for (Square target : Squares(kRays[i][square])) ASSERT_EQ(Index(target) > square, i < 4);
    }
  }
}

TEST(GeometryTest, EmptyBoardAttacksAreTheAlignedSquares) {
  ForEachPair([](Square a, Square b) {
    const bool straight = FileOf(a) == FileOf(b) || RankOf(a) == RankOf(b);
    ASSERT_EQ(Contains(EmptyRookAttacks(a), b), Aligned(a, b) && straight);
    ASSERT_EQ(Contains(EmptyBishopAttacks(a), b), Aligned(a, b) && !straight);
  });
}

TEST(GeometryTest, BetweenIsWhatBothRaysShare) {
  ForEachPair([](Square a, Square b) {
    ASSERT_EQ(Between(a, b), Aligned(a, b) ? RayThrough(a, b) & RayThrough(b, a) : 0) << Index(a) << " to " << Index(b);
  });
}

TEST(GeometryTest, LineRunsThroughBothSquaresFromEdgeToEdge) {
  ForEachPair([](Square a, Square b) {
    ASSERT_EQ(Line(a, b), Aligned(a, b) ? RayThrough(a, b) | RayThrough(b, a) : 0) << Index(a) << " to " << Index(b);
  });
}

}  // namespace
}  // namespace kibitz
