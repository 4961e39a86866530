#include "client/match/xboard_player.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "client/match/game.h"
#include "client/match/match.h"
#include "engine/board/fen.h"
#include "tests/client/match/fake_engine_path.h"
#include "tests/client/match/scripted_player.h"

namespace kibitz::client {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;

TEST(XboardFeaturesTest, ReadsAndAnswersThem) {
  XboardFeatures features;
  EXPECT_EQ(features.Read("feature setboard=0 ping=1  usermove=1 san=1 myname=\"A = B 1.0\" done=0"),
            "accepted setboard\naccepted ping\naccepted usermove\nrejected san\naccepted myname\naccepted done\n");
  EXPECT_TRUE(features.ping && features.usermove && features.time && features.reuse);
  EXPECT_FALSE(features.setboard || features.memory || features.smp);
  EXPECT_EQ(features.done, false);
  features.Read(
      "feature option=\"Resign Threshold -spin 800 200 1200\" option=\"Clear -button\" time=0 reuse=0 done=1");
  EXPECT_THAT(features.options, ElementsAre("Resign Threshold", "Clear"));
  EXPECT_FALSE(features.time || features.reuse);
  EXPECT_EQ(features.done, true);
}

TEST(XboardFeaturesTest, SurvivesWhatIsNoFeature) {
  for (const char* line : {"feature", "feature ", "feature ping", "feature =", "feature a=\"b", "feature a=\""}) {
    XboardFeatures features;
    features.Read(line);
    EXPECT_FALSE(features.done) << line;
  }
}

TEST(XboardLimitsTest, AreThoseOfTheProtocol) {
  EXPECT_TRUE(CheckXboardLimits(Clock("2+0.05")).ok());
  EXPECT_TRUE(CheckXboardLimits(Depth(5)).ok());
  TimeControl control;
  control.move_time = absl::Seconds(2);
  EXPECT_TRUE(CheckXboardLimits(control).ok());
  control.move_time = absl::Milliseconds(1500);
  EXPECT_THAT(CheckXboardLimits(control).ToString(), HasSubstr("whole seconds"));
  control.move_time = absl::ZeroDuration();
  control.nodes = 1000;
  EXPECT_THAT(CheckXboardLimits(control).ToString(), HasSubstr("no limit of nodes: give that engine a tc"));
}

class XboardGameTest : public testing::Test {
 protected:
  // Black is the fake engine with these arguments.
  PlayedGame Play(std::vector<std::string> arguments, const TimeControl& control = Depth(1),
                  const Opening& opening = {}) {
    arguments.push_back("log");
    EngineOptions options = FakeXboardEngine(std::move(arguments));
    options.command.folder = testing::TempDir();
    options.options = options_;
    const auto player = XboardPlayer::Start(options);
    EXPECT_TRUE(player.ok()) << player.status();
    if (!player.ok()) return {};
    ScriptedPlayer white("g1f3 f3g1");
    return PlayGame({white, control}, {**player, control}, opening, rules_);
  }

  // What the last engine was told from "new" on, without the readiness of either side.
  static std::vector<std::string> Told() {
    std::vector<std::string> lines;
    std::ifstream transcript(testing::TempDir() + "/transcript");
    for (std::string line; std::getline(transcript, line);) {
      if (line == "new") lines.clear();
      if (line.rfind("ping", 0) != 0) lines.push_back(line);
    }
    return lines;
  }

  std::vector<std::pair<std::string, std::string>> options_;
  GameRules rules_ = {.adjudication = {.max_moves = 2}};
};

TEST_F(XboardGameTest, TellsTheEngineWhatIsNew) {
  const PlayedGame game = Play({"score=-35"}, Clock("90+0.5"));
  ASSERT_EQ(game.moves.size(), 4u) << game.reason;
  EXPECT_EQ(game.reason, "Draw by adjudication: the game is too long");
  const Thought& thought = *game.moves[3].thought;
  EXPECT_EQ(thought.move, "a5a4");
  EXPECT_EQ(thought.score->value, -35);
  EXPECT_FALSE(thought.score->is_mate);
  EXPECT_EQ(thought.depth, 7);
  EXPECT_EQ(thought.nodes, 99);
  EXPECT_THAT(Told(), ElementsAre("new", "force", "post", "easy", "level 0 1:30 0.5", "force", "g1f3", "time 9050",
                                  "otim 9100", "go", testing::StartsWith("time "), "otim 9150", "f3g1"));
}

TEST_F(XboardGameTest, PlaysTheOpeningFirst) {
  const Opening opening{.start = Position(), .moves = {Move(Square::kE2, Square::kE4), Move(Square::kE7, Square::kE5)}};
  rules_.adjudication.max_moves = 2;
  EXPECT_EQ(Play({"usermove"}, Depth(3), opening).moves.size(), 4u);
  EXPECT_THAT(Told(), ElementsAre("new", "force", "post", "easy", "level 0 100 0", "sd 3", "force", "usermove e2e4",
                                  "usermove e7e5", "usermove g1f3", "go"));
}

TEST_F(XboardGameTest, BeginsElsewhereWhereTheEngineCan) {
  const std::string fen = "4k3/p7/8/8/8/8/8/4K1N1 w - - 0 1";
  const Opening opening{.start = *ParseFen(fen), .moves = {}};
  EXPECT_EQ(Play({"setboard"}, Depth(1), opening).moves.size(), 4u);
  EXPECT_THAT(Told(), testing::Contains("setboard " + fen));
  const PlayedGame refused = Play({}, Depth(1), opening);
  EXPECT_EQ(refused.termination, Termination::kAbandoned);
  EXPECT_THAT(refused.reason, HasSubstr("no 'setboard'"));
}

TEST_F(XboardGameTest, ReadsCastlingAsPeopleWriteIt) {
  rules_.adjudication.max_moves = 1;
  const Opening opening{.start = *ParseFen("r3k2r/8/8/8/8/8/8/4K1N1 w kq - 0 1"), .moves = {}};
  EXPECT_EQ(Play({"setboard", "o-o=1"}, Depth(1), opening).moves.at(1).thought->move, "e8g8");
  EXPECT_EQ(Play({"setboard", "o-o-o=1"}, Depth(1), opening).moves.at(1).thought->move, "e8c8");
}

TEST_F(XboardGameTest, ReadsMovesOfTheFirstVersion) {
  EXPECT_EQ(Play({"plain", "numbers"}).moves.at(3).thought->move, "a5a4");
}

TEST_F(XboardGameTest, ReadsMates) {
  EXPECT_EQ(Play({"score=100003"}).moves[1].thought->score->value, 3);
  const PlayerScore mated = *Play({"score=-100002"}).moves[1].thought->score;
  EXPECT_TRUE(mated.is_mate);
  EXPECT_EQ(mated.value, -2);
}

TEST_F(XboardGameTest, SetsOptions) {
  options_ = {{"Hash", "16"}, {"Threads", "2"}, {"Style", "a b"}};
  Play({});
  std::ifstream transcript(testing::TempDir() + "/transcript");
  std::vector<std::string> lines;
  for (std::string line; std::getline(transcript, line);) lines.push_back(line);
  EXPECT_THAT(lines, IsSupersetOf({"memory 16", "option Style=a b", "rejected san", "accepted ping"}));
  EXPECT_THAT(lines, testing::Not(testing::Contains("cores 2")));
}

TEST_F(XboardGameTest, LosesByResignation) {
  for (const char* how : {"resign=2", "loses=2", "resigns-later=1"}) {
    const PlayedGame game = Play({how});
    EXPECT_EQ(game.outcome, GameOutcome::kWhiteWins) << how;
    EXPECT_EQ(game.termination, Termination::kNormal) << how;
    EXPECT_EQ(game.reason, "Black resigns") << how;
    EXPECT_EQ(game.moves.size(), 3u) << how;
    EXPECT_FALSE(game.failed) << how;
  }
}

TEST_F(XboardGameTest, DoesNotBelieveAClaim) {
  const PlayedGame played_on = Play({"claims=1"});
  EXPECT_EQ(played_on.moves.size(), 4u) << played_on.reason;
  EXPECT_THAT(Told(), testing::Contains("go").Times(2));
  const PlayedGame lost = Play({"quits=1"});
  EXPECT_EQ(lost.termination, Termination::kAbandoned);
  EXPECT_THAT(lost.reason, HasSubstr("claims '1/2-1/2 {Draw by my count}' and makes no move"));
}

TEST_F(XboardGameTest, LosesByFailing) {
  EXPECT_EQ(Play({"crash=2"}).reason, "Black loses: the engine ended");
  EXPECT_EQ(Play({"illegal=1"}).termination, Termination::kRulesInfraction);
  EXPECT_EQ(Play({"hang=1"}, Clock("0.05")).termination, Termination::kTimeForfeit);
  EXPECT_EQ(Play({"no-sd"}).reason, "Black loses: the engine refuses 'sd 1'");
}

TEST_F(XboardGameTest, RefusesChess960) {
  const auto player = XboardPlayer::Start(FakeXboardEngine());
  ASSERT_TRUE(player.ok()) << player.status();
  EXPECT_EQ((*player)->NewGame(Variant::kChess960).code(), absl::StatusCode::kUnimplemented);
}

TEST(XboardPlayerTest, ReportsAnEngineThatDoesNotStart) {
  // Longer than silence is taken for the end of the features.
  EXPECT_EQ(XboardPlayer::Start(FakeXboardEngine({"slow"}), absl::Milliseconds(2200)).status().code(),
            absl::StatusCode::kDeadlineExceeded);
  EngineOptions options = FakeXboardEngine();
  options.options = {{"Speed", "9"}};
  EXPECT_THAT(XboardPlayer::Start(options).status().ToString(),
              HasSubstr("no option 'Speed', only Hash, Threads, Resign Threshold, Style"));
}

Contestant Xboard(const std::string& name, const EngineOptions& options, const TimeControl& control) {
  return {.name = name, .control = control, .make_player = [=]() -> absl::StatusOr<std::unique_ptr<Player>> {
            return XboardPlayer::Start(options);
          }};
}

// Plays two games, and returns how they ended.
std::vector<PlayedGame> PlayPair(const Contestant& first, const Contestant& second, int max_moves) {
  const MatchOptions options{.contestants = {first, second},
                             .schedule = Schedule(2, MatchFormat::kRoundRobin, 1),
                             .openings = [](int) { return Opening(); },
                             .rules = {.adjudication = {.max_moves = max_moves}},
                             .concurrency = 1,
                             .restart_players = false,
                             .finished = {}};
  std::vector<PlayedGame> games;
  EXPECT_TRUE(PlayMatch(options, {}, [&](const ScheduledGame&, const PlayedGame& played) {
                games.push_back(played);
                return true;
              }).ok());
  return games;
}

TEST(XboardMatchTest, StartsEnginesOfOneGameAnew) {
  const EngineOptions options = FakeXboardEngine({"once"});
  for (const PlayedGame& game : PlayPair(Xboard("a", options, Depth(1)), Xboard("b", options, Depth(1)), 3)) {
    EXPECT_EQ(game.moves.size(), 6u) << game.reason;
  }
}

TEST(XboardMatchTest, PlaysFairymax) {
  if (!FindProgram("fairymax")) GTEST_SKIP() << "fairymax is not installed: not tested";
  EngineOptions options{.command = {.words = {"fairymax"}}, .options = {{"Hash", "1"}}};
  const Contestant shallow = Xboard("shallow", options, Depth(2));
  const Contestant deeper = Xboard("deeper", options, Depth(3));
  const std::vector<PlayedGame> games = PlayPair(shallow, deeper, 15);
  ASSERT_EQ(games.size(), 2u);
  for (const PlayedGame& game : games) {
    EXPECT_FALSE(game.failed) << game.reason;
    ASSERT_EQ(game.moves.size(), 30u) << game.reason;
    EXPECT_TRUE(game.moves[20].thought->score);
    EXPECT_GT(game.moves[20].thought->nodes, 0);
  }
}

}  // namespace
}  // namespace kibitz::client
