#include "tests/client/lichess/bot/trial.h"

#include <gtest/gtest.h>

namespace kibitz::client::lichess {
namespace {

// The short form of `./kibitz lichess trial`.
TEST(TrialTest, LosesNoGameToItsOwnPlumbing) {
  constexpr int kGames = 12;
  const TrialResult result = RunTrial({.games = kGames, .concurrency = 6, .seed = 7});
  EXPECT_TRUE(result.IsGood(kGames)) << ToText(result);
  EXPECT_GT(result.counts.streams_lost, 0) << ToText(result);
  EXPECT_GT(result.counts.moves_sent_again, 0) << ToText(result);
}

}  // namespace
}  // namespace kibitz::client::lichess
