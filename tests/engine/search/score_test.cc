#include "engine/search/score.h"

#include <gtest/gtest.h>

namespace kibitz {
namespace {

TEST(ScoreTest, CountsMatesInMovesOfTheWinner) {
  EXPECT_EQ(Score::FromValue(MateIn(1)).amount, 1);
  EXPECT_EQ(Score::FromValue(MateIn(3)).amount, 2);
  EXPECT_EQ(Score::FromValue(MatedIn(0)).amount, 0);
  EXPECT_EQ(Score::FromValue(MatedIn(2)).amount, -1);
  EXPECT_EQ(Score::FromValue(MatedIn(4)).amount, -2);
  EXPECT_EQ(Score::FromValue(MatedIn(4)).kind, Score::Kind::kMate);
}

TEST(ScoreTest, TableKeepsTheDistanceFromThePosition) {
  for (Value value : {MateIn(9), MatedIn(12), Value{0}, Value{-250}, kTablebaseWin - 7}) {
    EXPECT_EQ(FromTable(ToTable(value, 5), 5), value);
  }
  // Seen from two plies deeper the same mate is two plies nearer.
  EXPECT_EQ(FromTable(ToTable(MateIn(9), 5), 3), MateIn(7));
}

TEST(WdlTest, AddsUpAndIsSymmetric) {
  for (int centipawns = -1500; centipawns <= 1500; centipawns += 25) {
    const Wdl wdl = Wdl::FromScore({Score::Kind::kCentipawns, centipawns});
    const Wdl other = Wdl::FromScore({Score::Kind::kCentipawns, -centipawns});
    EXPECT_EQ(wdl.win + wdl.draw + wdl.loss, 1000);
    EXPECT_EQ(wdl.win, other.loss);
    EXPECT_GE(wdl.draw, 0);
  }
}

TEST(WdlTest, AHundredIsAnEvenChanceToWin) {
  EXPECT_EQ(Wdl::FromScore({Score::Kind::kCentipawns, 100}).win, 500);
  EXPECT_EQ(Wdl::FromScore({Score::Kind::kMate, 3}).win, 1000);
  EXPECT_EQ(Wdl::FromScore({Score::Kind::kMate, -3}).loss, 1000);
}

}  // namespace
}  // namespace kibitz
