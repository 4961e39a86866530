#include "engine/board/bitboard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "engine/board/types.h"

namespace kibitz {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<Square> ListOf(Bitboard set) {
  std::vector<Square> squares;
  for (Square square : Squares(set)) squares.push_back(square);
  return squares;
}

// Moves each square by files and ranks, and drops those that leave the board.
Bitboard MoveByCoordinates(Bitboard set, int files, int ranks) {
  Bitboard moved = 0;
  for (int index = 0; index < kNumSquares; ++index) {
    const int file = index % 8 + files, rank = index / 8 + ranks;
    if (set >> index & 1 && file >= 0 && file < 8 && rank >= 0 && rank < 8) moved |= Bit(MakeSquare(file, rank));
  }
  return moved;
}

TEST(BitboardTest, CountsSquaresFromA1) {
  EXPECT_EQ(Bit(Square::kA1), 1u);
  EXPECT_EQ(Bit(Square::kH1), 0x80u);
  EXPECT_EQ(Bit(Square::kH8), 0x8000000000000000u);
}

TEST(BitboardTest, NamesFilesRanksAndColours) {
  EXPECT_EQ(FileMask(0), kFileA);
  EXPECT_EQ(FileMask(7), kFileH);
  EXPECT_EQ(RankMask(0), kRank1);
  EXPECT_EQ(RankMask(7), kRank8);
  EXPECT_EQ(RelativeRankMask(Color::kWhite, 1), RankMask(1));
  EXPECT_EQ(RelativeRankMask(Color::kBlack, 1), RankMask(6));
  EXPECT_TRUE(Contains(kDarkSquares, Square::kA1));
  EXPECT_TRUE(Contains(kLightSquares, Square::kH1));
  EXPECT_EQ(Count(kLightSquares), 32);
}

TEST(BitboardTest, TellsOneFromMany) {
  EXPECT_FALSE(MoreThanOne(0));
  EXPECT_FALSE(MoreThanOne(Bit(Square::kH8)));
  EXPECT_TRUE(MoreThanOne(Bit(Square::kA1) | Bit(Square::kH8)));
}

TEST(BitboardTest, PopsTheFirstSquare) {
  Bitboard set = Bit(Square::kC3) | Bit(Square::kE4);
  EXPECT_EQ(PopFirst(set), Square::kC3);
  EXPECT_EQ(set, Bit(Square::kE4));
  EXPECT_EQ(PopFirst(set), Square::kE4);
  EXPECT_EQ(set, 0u);
}

TEST(BitboardTest, ShiftDropsWhatCrossesAnEdge) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 1000; ++i) {
    const Bitboard set = i == 0 ? ~0ULL : random();
    ASSERT_EQ(Shift<8>(set), MoveByCoordinates(set, 0, 1));
    ASSERT_EQ(Shift<-8>(set), MoveByCoordinates(set, 0, -1));
    ASSERT_EQ(Shift<1>(set), MoveByCoordinates(set, 1, 0));
    ASSERT_EQ(Shift<-1>(set), MoveByCoordinates(set, -1, 0));
    ASSERT_EQ(Shift<9>(set), MoveByCoordinates(set, 1, 1));
    ASSERT_EQ(Shift<7>(set), MoveByCoordinates(set, -1, 1));
    ASSERT_EQ(Shift<-7>(set), MoveByCoordinates(set, 1, -1));
    ASSERT_EQ(Shift<-9>(set), MoveByCoordinates(set, -1, -1));
    ASSERT_EQ(Shift<16>(set), MoveByCoordinates(set, 0, 2));
  }
}

TEST(SquaresTest, ListsSquaresInOrder) {
  EXPECT_THAT(ListOf(0), IsEmpty());
  EXPECT_THAT(ListOf(Bit(Square::kH8) | Bit(Square::kA1) | Bit(Square::kD4)),
              ElementsAre(Square::kA1, Square::kD4, Square::kH8));
}

TEST(SquaresTest, ListsEachSquareOfTheSetOnce) {
  std::mt19937_64 random(9);
  for (int i = 0; i < 1000; ++i) {
    const Bitboard set = i == 0 ? ~0ULL : random();
    Bitboard listed = 0;
    for (Square square : Squares(set)) {
      ASSERT_FALSE(Contains(listed, square));
      listed |= Bit(square);
    }
    ASSERT_EQ(listed, set);
  }
}

}  // namespace
}  // namespace kibitz
