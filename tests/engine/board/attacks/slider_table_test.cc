#include "engine/board/attacks/slider_table.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/board/bitboard.h"
#include "engine/board/types.h"

namespace kibitz {
namespace {

// Reads a picture of the board, the eighth rank first; every 'x' is a square of the set.
Bitboard Picture(const char* picture) {
  Bitboard set = 0;
  int index = 0;
  for (; *picture != '\0'; ++picture) {
    if (*picture == ' ') continue;
    if (*picture == 'x') set |= Bit(FlipRank(SquareAt(index)));
    ++index;
  }
  EXPECT_EQ(index, kNumSquares);
  return set;
}

TEST(SliderTableTest, EdgesBehindNothingAreNotRelevant) {
  EXPECT_EQ(RelevantOccupancy(SliderKind::kRook, Square::kD4), Picture("........ "
                                                                       "...x.... "
                                                                       "...x.... "
                                                                       "...x.... "
                                                                       ".xx.xxx. "
                                                                       "...x.... "
                                                                       "...x.... "
                                                                       "........ "));
  EXPECT_EQ(RelevantOccupancy(SliderKind::kBishop, Square::kD4), Picture("........ "
                                                                         "......x. "
                                                                         ".x...x.. "
                                                                         "..x.x... "
                                                                         "........ "
                                                                         "..x.x... "
                                                                         ".x...x.. "
                                                                         "........ "));
  EXPECT_EQ(RelevantOccupancy(SliderKind::kRook, Square::kA1), Picture("........ "
                                                                       "x....... "
                                                                       "x....... "
                                                                       "x....... "
                                                                       "x....... "
                                                                       "x....... "
                                                                       "x....... "
                                                                       ".xxxxxx. "));
}

TEST(SliderTableTest, HoldsEveryOccupancyOfEverySquare) {
  EXPECT_EQ(TableSize(SliderKind::kRook), 102'400);
  EXPECT_EQ(TableSize(SliderKind::kBishop), 5'248);
}

TEST(SliderTableTest, SetOccupancyDealsBitsOutInOrder) {
  const Bitboard mask = Bit(Square::kB1) | Bit(Square::kA2) | Bit(Square::kH8);
  EXPECT_EQ(SetOccupancy(0, mask), 0u);
  EXPECT_EQ(SetOccupancy(1, mask), Bit(Square::kB1));
  EXPECT_EQ(SetOccupancy(2, mask), Bit(Square::kA2));
  EXPECT_EQ(SetOccupancy(5, mask), Bit(Square::kB1) | Bit(Square::kH8));
  EXPECT_EQ(SetOccupancy(7, mask), mask);
}

TEST(SliderTableTest, SetOccupancyRunsThroughAllSubsets) {
  const Bitboard mask = RelevantOccupancy(SliderKind::kRook, Square::kA1);
  std::set<Bitboard> subsets;
  for (int index = 0; index < 1 << Count(mask); ++index) {
    const Bitboard subset = SetOccupancy(index, mask);
    EXPECT_EQ(subset & ~mask, 0u);
    subsets.insert(subset);
  }
  EXPECT_EQ(subsets.size(), 4096u);
}

TEST(SliderTableTest, WalkStopsOnTheFirstBlocker) {
  const Bitboard occupied = Picture(
      "...x...x "
      "...x..x. "
      ".x...... "
      "........ "
      ".x.x.x.x "
      "........ "
      "........ "
      "x..x.... ");
  EXPECT_EQ(WalkAttacks(SliderKind::kRook, Square::kD4, occupied), Picture("........ "
                                                                           "...x.... "
                                                                           "...x.... "
                                                                           "...x.... "
                                                                           ".xx.xx.. "
                                                                           "...x.... "
                                                                           "...x.... "
                                                                           "...x.... "));
  EXPECT_EQ(WalkAttacks(SliderKind::kBishop, Square::kD4, occupied), Picture("........ "
                                                                             "......x. "
                                                                             ".x...x.. "
                                                                             "..x.x... "
                                                                             "........ "
                                                                             "..x.x... "
                                                                             ".x...x.. "
                                                                             "x.....x. "));
}

TEST(SliderTableTest, WalkReachesAllSquaresOfAnEmptyBoard) {
  for (SliderKind kind : kSliderKinds) {
    for (int i = 0; i < kNumSquares; ++i) {
      ASSERT_EQ(WalkAttacks(kind, SquareAt(i), 0), EmptyAttacks(kind, SquareAt(i)));
    }
  }
}

}  // namespace
}  // namespace kibitz
