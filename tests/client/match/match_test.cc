#include "client/match/match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "client/match/game_record.h"
#include "client/match/match_archive.h"
#include "client/match/processors.h"
#include "client/match/standings.h"
#include "client/match/uci_player.h"
#include "engine/board/fen.h"
#include "tests/client/match/fake_engine_path.h"

namespace kibitz::client {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

absl::StatusOr<int> Balanced(const Position&) { return 0; }

Contestant Fake(const std::string& name, std::vector<std::string> arguments = {}) {
  TimeControl control;
  control.nodes = 1;
  return {.name = name, .control = control, .make_player = [=]() -> absl::StatusOr<std::unique_ptr<Player>> {
            return UciPlayer::Start(FakeEngine(arguments));
          }};
}

MatchOptions Duel(Contestant first, Contestant second, int openings) {
  MatchOptions options{.contestants = {std::move(first), std::move(second)},
                       .schedule = Schedule(2, MatchFormat::kRoundRobin, openings),
                       .openings = RandomOpenings({.plies = 4, .seed = 1}, Balanced),
                       .rules = {},
                       .concurrency = 2,
                       .restart_players = false,
                       .finished = {}};
  options.rules.adjudication.max_moves = 10;
  return options;
}

TEST(MatchTest, PlaysEveryGameOnce) {
  std::vector<int> seen;
  const auto status =
      PlayMatch(Duel(Fake("a"), Fake("b"), 5), {}, [&](const ScheduledGame& game, const PlayedGame& played) {
        seen.push_back(game.index);
        EXPECT_FALSE(played.failed) << played.reason;
        return true;
      });
  EXPECT_TRUE(status.ok());
  std::sort(seen.begin(), seen.end());
  EXPECT_THAT(seen, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
}

TEST(MatchTest, GoesOnWithFailingPlayers) {
  const auto refuses = []() -> absl::StatusOr<std::unique_ptr<Player>> { return absl::UnavailableError("no"); };
  const auto is_mute = []() -> absl::StatusOr<std::unique_ptr<Player>> {
    return UciPlayer::Start(FakeEngine({"mute"}), absl::Milliseconds(300));
  };
  for (const auto& make_player :
       {Fake("", {"crash=2"}).make_player, Fake("", {"illegal=2"}).make_player,
        decltype(Contestant::make_player)(refuses), decltype(Contestant::make_player)(is_mute)}) {
    MatchOptions options = Duel(Fake("good"), Fake("bad"), 2);
    options.contestants[1].make_player = make_player;
    Standings standings(2, options.schedule);
    const auto status = PlayMatch(options, {}, [&](const ScheduledGame& game, const PlayedGame& played) {
      standings.Add(game, played.outcome, played.termination);
      EXPECT_NE(played.termination, Termination::kNormal);
      return true;
    });
    EXPECT_TRUE(status.ok());
    EXPECT_THAT(standings.OfPairing(0).games, ElementsAre(0, 0, 4));
  }
}

TEST(MatchTest, LeavesOutWhatIsFinished) {
  MatchOptions options = Duel(Fake("a"), Fake("b"), 2);
  options.finished = {0, 1, 3};
  std::vector<int> seen;
  EXPECT_TRUE(PlayMatch(options, {}, [&](const ScheduledGame& game, const PlayedGame&) {
                seen.push_back(game.index);
                return true;
              }).ok());
  EXPECT_THAT(seen, ElementsAre(2));
}

TEST(MatchTest, EndsWhenTheObserverHasSeenEnough) {
  int seen = 0;
  EXPECT_TRUE(PlayMatch(Duel(Fake("a"), Fake("b"), 1000), {}, [&](const ScheduledGame&, const PlayedGame&) {
                return ++seen < 3;
              }).ok());
  EXPECT_EQ(seen, 3);
}

TEST(MatchTest, DropsGamesWhenItIsStopped) {
  // The engines would never answer: only the stop ends the games.
  std::stop_source stop;
  std::atomic<int> started = 0;
  MatchOptions options = Duel(Fake("a", {"hang=1"}), Fake("b", {"hang=1"}), 10);
  const auto make = options.contestants[0].make_player;
  options.contestants[0].make_player = [&]() {
    if (++started == 2) stop.request_stop();
    return make();
  };
  int seen = 0;
  EXPECT_TRUE(
      PlayMatch(options, stop.get_token(), [&](const ScheduledGame&, const PlayedGame&) { return ++seen > 0; }).ok());
  EXPECT_EQ(seen, 0);
}

TEST(MatchTest, FailsWithoutOpenings) {
  MatchOptions options = Duel(Fake("a"), Fake("b"), 2);
  options.openings = [](int) -> absl::StatusOr<Opening> { return absl::NotFoundError("none"); };
  EXPECT_EQ(PlayMatch(options, {}, [](const ScheduledGame&, const PlayedGame&) { return true; }).message(), "none");
}

TEST(MatchTest, SharesOutTheProcessors) {
  EXPECT_THAT(ProcessorShare({3, 5, 7, 9}, 1, 2), ElementsAre(7, 9));
  EXPECT_THAT(ProcessorShare({3, 5, 7}, 2, 3), ElementsAre(7));
  EXPECT_THAT(ProcessorShare({3, 5}, 1, 3), ElementsAre());
  EXPECT_FALSE(OwnProcessors().empty());
}

// A match on paper.
struct Paper {
  MatchOptions options = Duel(Fake("a", {"score=30"}), Fake("b", {"crash=3"}), 2);
  std::vector<std::string> names = {"a", "b"};
  std::map<int, PgnGame> games;

  Paper() {
    const auto status = PlayMatch(options, {}, [&](const ScheduledGame& game, const PlayedGame& played) {
      const auto& white = options.contestants[static_cast<std::size_t>(game.white)];
      const auto& black = options.contestants[static_cast<std::size_t>(game.black)];
      games[game.index] = ToPgnGame(played, {.event = "test",
                                             .game = game,
                                             .white = white.name,
                                             .black = black.name,
                                             .white_control = white.control,
                                             .black_control = black.control,
                                             .date = absl::FromUnixSeconds(0)});
      return true;
    });
    EXPECT_TRUE(status.ok());
  }

  absl::StatusOr<std::vector<RecordedGame>> Read(const std::string& text) const {
    return FinishedGames(text, options.schedule, names, options.openings);
  }
};

TEST(MatchArchiveTest, ReadsWhatWasRecorded) {
  const Paper paper;
  const std::string text = ToPgn(paper.games.at(1)) + ToPgn(paper.games.at(2)) + ToPgn(paper.games.at(2));
  EXPECT_THAT(text, HasSubstr("[Round \"1.2\"]"));
  EXPECT_THAT(text, HasSubstr("[Date \"1970.01.01\"]"));
  EXPECT_THAT(text, HasSubstr("[Termination \"abandoned\"]\n[TerminationDetails \"White loses: the engine ended\"]"));
  const auto games = paper.Read(text);
  ASSERT_TRUE(games.ok()) << games.status();
  ASSERT_EQ(games->size(), 2u);
  EXPECT_EQ((*games)[0].index, 1);
  EXPECT_EQ((*games)[0].white, "b");
  EXPECT_EQ((*games)[0].outcome, GameOutcome::kBlackWins);
  EXPECT_EQ((*games)[0].termination, Termination::kAbandoned);
  EXPECT_EQ((*games)[1].index, 2);
}

TEST(MatchArchiveTest, WritesScoresAsWhiteSeesThem) {
  const Paper paper;
  EXPECT_THAT(paper.games.at(0).moves[4].comment, HasSubstr("[%eval 0.30,7] [%emt 0:00:0"));
  EXPECT_THAT(paper.games.at(1).moves[5].comment, HasSubstr("[%eval -0.30,7] [%emt 0:00:0"));
  EXPECT_EQ(paper.games.at(0).moves[0].comment, "");
}

TEST(MatchArchiveTest, RefusesTheGamesOfAnotherMatch) {
  Paper paper;
  const std::string text = ToPgn(paper.games.at(0));
  const std::vector<std::string> names = paper.names;
  paper.names = {"a", "c"};
  EXPECT_THAT(paper.Read(text).status().ToString(), HasSubstr("there a had White against b"));
  paper.names = names;
  paper.options.openings = RandomOpenings({.plies = 4, .seed = 2}, Balanced);
  EXPECT_THAT(paper.Read(text).status().ToString(), HasSubstr("another opening"));
}

TEST(MatchArchiveTest, LeavesOutWhatCannotBeRead) {
  const Paper paper;
  const std::string whole = ToPgn(paper.games.at(0));
  const std::string cut = ToPgn(paper.games.at(1)).substr(0, 60);
  const auto games = paper.Read(whole + cut);
  ASSERT_TRUE(games.ok()) << games.status();
  EXPECT_EQ(games->size(), 1u);
}

}  // namespace
}  // namespace kibitz::client
