#include "client/match/ladder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/match/ratings.h"

namespace kibitz::client {
namespace {

using testing::HasSubstr;

TEST(RatingsTest, AgreesWithEloForTwo) {
  const std::vector<Estimate> ratings =
      FitRatings(2, {{.first = 0, .second = 1, .won = 7500, .drawn = 0, .lost = 2500}}, 1);
  EXPECT_NEAR(ratings[0].value, 190.85, 0.05);
  EXPECT_EQ(ratings[1].value, 0);
  EXPECT_EQ(ratings[1].error, 0);
  // The error of the score is 1.96 sqrt(0.75 * 0.25 / 10000), and 1 % is 9.27 Elo there.
  EXPECT_NEAR(ratings[0].error, 7.87, 0.05);
}

TEST(RatingsTest, FindsTheScaleThatMadeTheResults) {
  const std::vector<double> truth = {0, 150, -220, 480};
  std::vector<PairResult> results;
  for (int i = 0; i < 4; ++i) {
    for (int j = i + 1; j < 4; ++j) {
      const double score = ScoreOfElo(truth[static_cast<std::size_t>(i)] - truth[static_cast<std::size_t>(j)]);
      const auto won = static_cast<std::int64_t>(std::lround(score * 1e6));
      results.push_back({.first = i, .second = j, .won = won, .drawn = 0, .lost = 1'000'000 - won});
    }
  }
  const std::vector<Estimate> ratings = FitRatings(4, results, 0);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(ratings[i].value, truth[i], 0.1);
}

TEST(RatingsTest, ComparesPlayersThatHaveNotMet) {
  const std::vector<PairResult> results = {{.first = 0, .second = 1, .won = 3000, .drawn = 0, .lost = 1000},
                                           {.first = 1, .second = 2, .won = 3000, .drawn = 0, .lost = 1000}};
  const std::vector<Estimate> ratings = FitRatings(3, results, 2);
  EXPECT_NEAR(ratings[0].value, 381.7, 0.2);
  // The errors of two steps add up as the sides of a right angle do.
  EXPECT_NEAR(ratings[0].error, ratings[1].error * std::sqrt(2.0), 0.1);
}

TEST(RatingsTest, StaysFiniteForACleanScore) {
  const std::vector<Estimate> ratings = FitRatings(2, {{.first = 0, .second = 1, .won = 20, .drawn = 0, .lost = 0}}, 1);
  EXPECT_GT(ratings[0].value, 500);
  EXPECT_LT(ratings[0].value, 2000);
  EXPECT_GT(ratings[0].error, 200);
}

TEST(RatingsTest, SaysThatItKnowsNothingOfStrangers) {
  const std::vector<Estimate> ratings = FitRatings(3, {{.first = 0, .second = 1, .won = 5, .drawn = 5, .lost = 5}}, 0);
  EXPECT_LT(ratings[1].error, 400);
  EXPECT_GT(ratings[2].error, 10'000);
}

std::string Game(const std::string& white, const std::string& black, const std::string& result) {
  return absl::StrCat("[White \"", white, "\"]\n[Black \"", black, "\"]\n[Result \"", result, "\"]\n\n1. e4 ", result,
                      "\n\n");
}

std::vector<Rung> Example() {
  LadderResults results;
  std::string pgn = Game("b", "a", "*") + "[White \"broken]\n\n1. e5 1-0\n\n";
  for (int i = 0; i < 10; ++i) pgn += Game("a", "b", "1-0") + Game("b", "a", "1/2-1/2") + Game("b", "<c>", "1-0");
  results.Add(pgn);
  results.Add(Game("<c>", "b", "1-0"));
  EXPECT_EQ(results.games(), 31);
  return *results.Fit("b");
}

TEST(LadderTest, RanksThePlayersOfItsRecords) {
  const std::vector<Rung> rungs = Example();
  ASSERT_EQ(rungs.size(), 3u);
  EXPECT_EQ(rungs[0].name, "a");
  EXPECT_EQ(rungs[0].games, 20);
  EXPECT_EQ(rungs[0].points, 15);
  EXPECT_NEAR(rungs[0].rating.value, 188, 5);
  EXPECT_EQ(rungs[1].name, "b");
  EXPECT_EQ(rungs[1].rating.value, 0);
  EXPECT_EQ(rungs[2].name, "<c>");
  EXPECT_LT(rungs[2].rating.value, -300);
}

TEST(LadderTest, FailsWithoutTheAnchor) {
  LadderResults results;
  results.Add(Game("a", "b", "1-0"));
  EXPECT_THAT(results.Fit("kibitz").status().ToString(), HasSubstr("no game of kibitz"));
}

TEST(LadderTest, WritesATable) {
  const std::string table = LadderTable(Example());
  EXPECT_THAT(table, HasSubstr("| 1 | a | +18"));
  EXPECT_THAT(table, HasSubstr("| 2 | b | +0 | 0 | 31 | 48.4 % |"));
}

TEST(LadderTest, DrawsAPicture) {
  const std::string picture = LadderPicture(Example(), "b");
  EXPECT_THAT(picture, testing::StartsWith("<svg "));
  EXPECT_THAT(picture, testing::EndsWith("</svg>\n"));
  EXPECT_THAT(picture, HasSubstr("&lt;c&gt;</text>"));
  EXPECT_THAT(picture, testing::Not(HasSubstr("nan")));
  EXPECT_THAT(picture, testing::Not(HasSubstr("inf")));
}

}  // namespace
}  // namespace kibitz::client
