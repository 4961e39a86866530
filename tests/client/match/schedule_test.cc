#include "client/match/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "client/match/standings.h"

namespace kibitz::client {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(ScheduleTest, PlaysEachOpeningWithBothColours) {
  const Schedule schedule(2, MatchFormat::kRoundRobin, 3);
  ASSERT_EQ(schedule.size(), 6);
  for (int i = 0; i < 6; i += 2) {
    const ScheduledGame first = schedule.At(i);
    const ScheduledGame second = schedule.At(i + 1);
    EXPECT_EQ(first.opening, i / 2);
    EXPECT_EQ(second.opening, i / 2);
    EXPECT_EQ(first.pair(), second.pair());
    EXPECT_EQ(std::pair(first.white, first.black), std::pair(0, 1));
    EXPECT_EQ(std::pair(second.white, second.black), std::pair(1, 0));
  }
}

TEST(ScheduleTest, PairsEverybodyInARoundRobin) {
  const Schedule schedule(4, MatchFormat::kRoundRobin, 5);
  EXPECT_THAT(schedule.pairings(), ElementsAre(Pair(0, 1), Pair(0, 2), Pair(0, 3), Pair(1, 2), Pair(1, 3), Pair(2, 3)));
  EXPECT_EQ(schedule.size(), 6 * 5 * 2);
  std::map<int, int> games_of_opening;
  for (int i = 0; i < schedule.size(); ++i) ++games_of_opening[schedule.At(i).opening];
  for (const auto& [opening, games] : games_of_opening) EXPECT_EQ(games, 12) << opening;
}

TEST(ScheduleTest, PairsTheFirstWithAllInAGauntlet) {
  const Schedule schedule(4, MatchFormat::kGauntlet, 1);
  EXPECT_THAT(schedule.pairings(), ElementsAre(Pair(0, 1), Pair(0, 2), Pair(0, 3)));
}

TEST(StandingsTest, CountsGamesAndPairsForBothSides) {
  const Schedule schedule(2, MatchFormat::kRoundRobin, 2);
  Standings standings(2, schedule);
  standings.Add(schedule.At(0), GameOutcome::kWhiteWins, Termination::kNormal);  // the first wins
  EXPECT_THAT(standings.OfPairing(0).pairs, ElementsAre(0, 0, 0, 0, 0));
  standings.Add(schedule.At(2), GameOutcome::kBlackWins, Termination::kTimeForfeit);  // the first loses
  standings.Add(schedule.At(1), GameOutcome::kDraw, Termination::kNormal);
  standings.Add(schedule.At(3), GameOutcome::kWhiteWins, Termination::kRulesInfraction);  // and loses again
  EXPECT_THAT(standings.OfPairing(0).games, ElementsAre(2, 1, 1));
  EXPECT_THAT(standings.OfPairing(0).pairs, ElementsAre(1, 0, 0, 1, 0));
  EXPECT_THAT(standings.OfPlayer(1).pairs, ElementsAre(0, 1, 0, 0, 1));
  EXPECT_EQ(standings.OfPlayer(0).time_losses, 1);
  EXPECT_EQ(standings.OfPlayer(0).illegal_moves, 1);
  EXPECT_EQ(standings.OfPlayer(1).time_losses + standings.OfPlayer(1).illegal_moves, 0);
  EXPECT_EQ(standings.OfPlayer(0).Points(), 1.5);
  EXPECT_EQ(standings.OfPlayer(0).DrawRate(), 0.25);
}

}  // namespace
}  // namespace kibitz::client
