#include "client/cli/match_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kibitz::client {
namespace {

using testing::HasSubstr;
using testing::Not;

// Two players, of whom the first has won all games but one.
struct Duel {
  std::vector<std::string> names = {"new", "old"};
  Schedule schedule = Schedule(2, MatchFormat::kRoundRobin, 10);
  Standings standings = Standings(2, schedule);
  std::optional<Sprt> sprt = Sprt{.elo0 = 0, .elo1 = 5};

  Duel() {
    standings.Add(schedule.At(0), GameOutcome::kWhiteWins, Termination::kNormal);
    standings.Add(schedule.At(1), GameOutcome::kBlackWins, Termination::kTimeForfeit);
    standings.Add(schedule.At(2), GameOutcome::kWhiteWins, Termination::kNormal);
    standings.Add(schedule.At(3), GameOutcome::kWhiteWins, Termination::kNormal);
  }
  MatchView View() const { return {.names = names, .schedule = schedule, .standings = standings, .sprt = sprt}; }
};

TEST(MatchReportTest, TellsOfADuel) {
  const std::string text = MatchText(Duel().View(), {});
  EXPECT_THAT(text, HasSubstr("new against old, 4 of 20 games\n"));
  EXPECT_THAT(text, HasSubstr("won 3  drawn 0  lost 1   score 75.0 %   draws 0.0 %\n"
                              "pairs with 0, 1/2, 1, 3/2, 2 points: 0 0 1 0 1\n"));
  EXPECT_THAT(text, HasSubstr("Elo +190.8"));
  EXPECT_THAT(text, HasSubstr(" of -2.94 to 2.94 for Elo 0 against 5 (normalised)\n"));
  EXPECT_THAT(text, HasSubstr("old lost 1 on time, 0 by crash, 0 by illegal move\n"));
  EXPECT_THAT(text, Not(HasSubstr("new lost")));
}

TEST(MatchReportTest, TellsTheVerdict) {
  Tally tally;
  tally.pairs = {0, 0, 0, 0, 400};
  EXPECT_THAT(SprtText({.elo0 = 0, .elo1 = 50}, tally), HasSubstr(": Elo 50 is accepted"));
  tally.pairs = {400, 0, 0, 0, 0};
  EXPECT_THAT(SprtText({.elo0 = 0, .elo1 = 50}, tally), HasSubstr(": Elo 0 is accepted"));
}

TEST(MatchReportTest, TellsOfManyInATable) {
  Duel duel;
  duel.names.push_back("other");
  duel.schedule = Schedule(3, MatchFormat::kRoundRobin, 1);
  duel.standings = Standings(3, duel.schedule);
  duel.standings.Add(duel.schedule.At(0), GameOutcome::kDraw, Termination::kNormal);
  const std::string text = MatchText(duel.View(), {});
  EXPECT_THAT(text, HasSubstr("1 of 6 games\nplayer  games  won  drawn  lost"));
  EXPECT_THAT(text, HasSubstr("\nnew         1    0      1     0  50.0 %"));
  EXPECT_THAT(text, HasSubstr("\nother       0    0      0     0"));
}

TEST(MatchReportTest, WritesJsonWithoutInfinities) {
  Duel duel;
  duel.standings = Standings(2, duel.schedule);
  duel.standings.Add(duel.schedule.At(0), GameOutcome::kWhiteWins, Termination::kNormal);
  const auto json = nlohmann::json::parse(MatchJson(duel.View()));
  EXPECT_EQ(json["players"][0]["won"], 1);
  EXPECT_TRUE(json["players"][0]["elo"].is_null());
  EXPECT_EQ(json["pairings"][0]["second"], "old");
  EXPECT_EQ(json["sprt"]["verdict"], "open");
}

}  // namespace
}  // namespace kibitz::client
