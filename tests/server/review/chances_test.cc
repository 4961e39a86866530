#include "server/review/chances.h"

#include <gtest/gtest.h>

#include <vector>

namespace kibitz::server {
namespace {

v1::Score Centipawns(int centipawns) {
  v1::Score score;
  score.set_centipawns(centipawns);
  return score;
}

v1::Score Mate(int moves) {
  v1::Score score;
  score.set_mate_in_moves(moves);
  return score;
}

TEST(WinningChanceTest, GoesFromLostToWon) {
  EXPECT_DOUBLE_EQ(WinningChance(Centipawns(0)), 0);
  EXPECT_NEAR(WinningChance(Centipawns(100)), 0.182, 0.001);
  EXPECT_NEAR(WinningChance(Centipawns(-100)), -0.182, 0.001);
  EXPECT_NEAR(WinningChance(Centipawns(1000)), 0.951, 0.001);
  EXPECT_DOUBLE_EQ(WinningChance(Mate(5)), 1);
  EXPECT_DOUBLE_EQ(WinningChance(Mate(-5)), -1);
  EXPECT_DOUBLE_EQ(WinningChance(Mate(0)), -1);
}

TEST(NegatedTest, IsTheOtherSides) {
  EXPECT_EQ(Negated(Centipawns(35)).centipawns(), -35);
  EXPECT_EQ(Negated(Mate(-2)).mate_in_moves(), 2);
  v1::Score bounded = Centipawns(35);
  bounded.set_bound(v1::Score::BOUND_LOWER);
  EXPECT_EQ(Negated(bounded).bound(), v1::Score::BOUND_UPPER);
  v1::Wdl wdl;
  wdl.set_win(700);
  wdl.set_draw(200);
  wdl.set_loss(100);
  EXPECT_EQ(Negated(wdl).win(), 100);
  EXPECT_EQ(Negated(wdl).draw(), 200);
}

TEST(MoveAccuracyTest, FallsWithWhatIsLost) {
  EXPECT_DOUBLE_EQ(MoveAccuracy(0.1, 0.1), 100);
  EXPECT_DOUBLE_EQ(MoveAccuracy(0.1, 0.5), 100) << "nobody is better than best";
  // Ten per cent of winning chances lost.
  EXPECT_NEAR(MoveAccuracy(0.2, 0.0), 64.6, 0.1);
  EXPECT_DOUBLE_EQ(MoveAccuracy(1, -1), 0);
}

TEST(SideAccuracyTest, IsOfOneSide) {
  std::vector<JudgedMove> moves;
  for (int i = 0; i < 40; ++i) {
    moves.push_back({.white = i % 2 == 0, .accuracy = i % 2 == 0 ? 100.0 : 50.0});
  }
  EXPECT_NEAR(SideAccuracy(moves, true), 100, 1e-9);
  EXPECT_NEAR(SideAccuracy(moves, false), 50, 1e-9);
}

TEST(SideAccuracyTest, DoesNotForgetABlunder) {
  std::vector<JudgedMove> moves(30);
  moves[10].accuracy = 5;
  const double accuracy = SideAccuracy(moves, true);
  EXPECT_LT(accuracy, 90) << "the mean alone would be 97";
  EXPECT_GT(accuracy, 60);
}

TEST(SideAccuracyTest, WeighsSharpMovesMore) {
  std::vector<JudgedMove> calm(30);
  std::vector<JudgedMove> sharp(30);
  calm[20].accuracy = sharp[20].accuracy = 40;
  sharp[19].chance_after = sharp[20].chance_before = 0.9;
  sharp[20].chance_after = -0.9;
  for (int i = 21; i < 30; ++i) sharp[i].chance_before = sharp[i].chance_after = -0.9;
  EXPECT_LT(SideAccuracy(sharp, true), SideAccuracy(calm, true));
}

TEST(SideAccuracyTest, LeavesOutWhatWasForced) {
  std::vector<JudgedMove> moves(4);
  moves[1] = {.accuracy = 0, .counts = false};
  EXPECT_NEAR(SideAccuracy(moves, true), 100, 1e-9);
  EXPECT_DOUBLE_EQ(SideAccuracy({}, true), 100);
}

}  // namespace
}  // namespace kibitz::server
