// The expected values are published ones: the unit tests of the match runner fastchess (app/tests/elo_test.cpp and
// app/tests/sprt_test.cpp of github.com/Disservin/fastchess), whose own values were made with Fishtest's statistics,
// and the worked example in the README of github.com/jw1912/SPRT. There, pairs are given as LL LD WL DD WD WW.

#include "client/match/statistics.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>

namespace kibitz::client {
namespace {

using Games = std::array<std::int64_t, 3>;
using Pairs = std::array<std::int64_t, 5>;

// In the order in which the examples are published.
Games WinsLossesDraws(std::int64_t wins, std::int64_t losses, std::int64_t draws) { return {losses, draws, wins}; }
Pairs Pentanomial(std::int64_t ll, std::int64_t ld, std::int64_t wl, std::int64_t dd, std::int64_t wd,
                  std::int64_t ww) {
  return {ll, ld, wl + dd, wd, ww};
}

void ExpectNear(double actual, double published) {
  EXPECT_NEAR(actual, published, std::abs(published) * 0.005 + 0.005);
}

TEST(StatisticsTest, ConvertsBetweenEloAndScore) {
  EXPECT_DOUBLE_EQ(EloOfScore(0.5), 0);
  EXPECT_NEAR(EloOfScore(0.75), 190.85, 0.01);
  EXPECT_NEAR(ScoreOfElo(-400), 1.0 / 11, 1e-12);
  EXPECT_NEAR(EloOfScore(ScoreOfElo(123)), 123, 1e-9);
}

TEST(StatisticsTest, KnowsNothingWithoutGames) {
  const Pairs none{};
  EXPECT_EQ(MeanScore(none), 0.5);
  EXPECT_EQ(Elo(none).value, 0);
  EXPECT_TRUE(std::isinf(Elo(none).error));
  EXPECT_EQ(LikelihoodOfSuperiority(none), 0.5);
  EXPECT_EQ(Sprt().LogLikelihoodRatio(none), 0);
}

TEST(StatisticsTest, IsInfiniteWhereAllWasWon) {
  EXPECT_GT(Elo(WinsLossesDraws(10, 0, 0)).value, 1e300);
  EXPECT_LT(Elo(WinsLossesDraws(0, 10, 0)).value, -1e300);
  EXPECT_EQ(LikelihoodOfSuperiority(WinsLossesDraws(10, 0, 0)), 1);
  EXPECT_EQ(LikelihoodOfSuperiority(WinsLossesDraws(0, 0, 10)), 0.5);
}

TEST(StatisticsTest, MeasuresGames) {
  const Games first = WinsLossesDraws(76, 89, 123);
  ExpectNear(NormalizedElo(first).value, -20.76);
  ExpectNear(NormalizedElo(first).error, 40.13);
  EXPECT_NEAR(LikelihoodOfSuperiority(first), 0.1553, 0.0001);
  const Games second = WinsLossesDraws(136, 96, 111);
  ExpectNear(Elo(second).value, 40.70);
  ExpectNear(Elo(second).error, 30.43);
  ExpectNear(NormalizedElo(second).value, 49.77);
  EXPECT_NEAR(LikelihoodOfSuperiority(second), 0.9960, 0.0001);
  ExpectNear(NormalizedElo(WinsLossesDraws(34, 356, 0)).value, -508.44);
}

TEST(StatisticsTest, MeasuresPairs) {
  const Pairs first = Pentanomial(34, 54, 31, 32, 64, 75);
  ExpectNear(Elo(first).value, 55.58);
  ExpectNear(Elo(first).error, 27.65);
  ExpectNear(NormalizedElo(first).value, 57.94);
  ExpectNear(NormalizedElo(first).error, 28.28);
  const Pairs second = Pentanomial(332, 433, 457, 41, 333, 334);
  ExpectNear(Elo(second).value, -8.64);
  ExpectNear(Elo(second).error, 10.33);
  ExpectNear(NormalizedElo(second).value, -9.17);
  EXPECT_NEAR(LikelihoodOfSuperiority(second), 0.0505, 0.0001);
  const Pairs third = Pentanomial(7895, 8757, 5485, 200, 568, 9999);
  ExpectNear(Elo(third).value, -21.04);
  ExpectNear(NormalizedElo(third).value, -19.01);
}

TEST(StatisticsTest, MeasuresAOneSidedMatch) {
  const Pairs pairs = {0, 0, 2, 0, 37};
  ExpectNear(Elo(pairs).value, 631.91);
  ExpectNear(NormalizedElo(pairs).value, 1056.68);
  ExpectNear(NormalizedElo(pairs).error, 77.10);
  ExpectNear(Sprt{.elo0 = 0, .elo1 = 20}.LogLikelihoodRatio(pairs), 2.96);
}

double Llr(double elo0, double elo1, Sprt::Model model, OutcomeCounts counts) {
  return Sprt{.elo0 = elo0, .elo1 = elo1, .model = model}.LogLikelihoodRatio(counts);
}

TEST(SprtTest, BoundsTheErrors) {
  EXPECT_NEAR(Sprt().LowerBound(), -2.94, 0.005);
  EXPECT_NEAR(Sprt().UpperBound(), 2.94, 0.005);
}

TEST(SprtTest, WeighsGamesByNormalizedElo) {
  constexpr auto kModel = Sprt::Model::kNormalized;
  ExpectNear(Llr(0, 2, kModel, WinsLossesDraws(36433, 36027, 68692)), 0.92);
  ExpectNear(Llr(-1.75, 0.25, kModel, WinsLossesDraws(10871, 10650, 20431)), 2.30);
}

TEST(SprtTest, WeighsGamesByLogisticElo) {
  constexpr auto kModel = Sprt::Model::kLogistic;
  ExpectNear(Llr(0.5, 2.5, kModel, WinsLossesDraws(21404, 21184, 40708)), -1.57);
  ExpectNear(Llr(0, 2, kModel, WinsLossesDraws(57433, 57030, 106593)), -2.59);
}

TEST(SprtTest, WeighsPairsByNormalizedElo) {
  constexpr auto kModel = Sprt::Model::kNormalized;
  ExpectNear(Llr(0, 2, kModel, Pentanomial(365, 16618, 36029, 200, 16974, 390)), 2.25);
  ExpectNear(Llr(-1.75, 0.25, kModel, Pentanomial(127, 4883, 10311, 401, 5150, 104)), 3.01);
}

TEST(SprtTest, WeighsPairsByLogisticElo) {
  constexpr auto kModel = Sprt::Model::kLogistic;
  ExpectNear(Llr(0.5, 2.5, kModel, Pentanomial(223, 9863, 20279, 1000, 10037, 246)), -3.07);
  ExpectNear(Llr(0, 2, kModel, Pentanomial(871, 26175, 55003, 980, 26678, 821)), -4.98);
}

TEST(SprtTest, TakesDrawsForEquality) {
  for (const auto model : {Sprt::Model::kLogistic, Sprt::Model::kNormalized}) {
    EXPECT_LT(Llr(0, 5, model, WinsLossesDraws(0, 0, 16700)), 0);
    EXPECT_GT(Llr(-5, 0, model, WinsLossesDraws(0, 0, 16700)), 0);
  }
}

TEST(SprtTest, DecidesAtTheBounds) {
  const Sprt test{.elo0 = -1.75, .elo1 = 0.25};
  EXPECT_EQ(test.Judge(Pentanomial(127, 4883, 10311, 401, 5150, 104)), Sprt::Verdict::kAcceptElo1);
  EXPECT_EQ(test.Judge(Pentanomial(127, 5150, 10311, 401, 4883, 104)), Sprt::Verdict::kAcceptElo0);
  EXPECT_EQ(test.Judge(Pentanomial(12, 488, 1031, 40, 515, 10)), Sprt::Verdict::kOpen);
}

}  // namespace
}  // namespace kibitz::client
