#include "client/lichess/bot/bot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "tests/client/certificates.h"
#include "tests/client/lichess/bot/arena.h"
#include "tests/support/lichess/stand_in.h"

namespace kibitz::client::lichess {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

constexpr absl::Duration kPatience = absl::Seconds(60);

bool Await(const std::function<bool()>& holds) {
  const auto until = std::chrono::steady_clock::now() + absl::ToChronoSeconds(kPatience);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

// A stand-in with two bots' accounts, and a person's, whose part the test plays by hand.
class Lichess {
 public:
  explicit Lichess(const stand_in::StandInOptions& options = {}) : server_(options) {
    server_.world().AddAccount({.name = "Alpha", .token = "lip_alpha"});
    server_.world().AddAccount({.name = "Beta", .token = "lip_beta"});
    server_.world().AddAccount({.name = "Carol", .token = "lip_carol", .bot = false});
    EXPECT_TRUE(server_.Start().ok());
  }

  stand_in::StandIn& server() { return server_; }
  stand_in::World& world() { return server_.world(); }

  RunningBot Alpha(const BotPolicy& policy = QuickPolicy(), const std::string& pgn = "") {
    return RunningBot(server_, SharedConnection(), "lip_alpha", {.policy = policy, .pgn_file = pgn});
  }

  // Carol against Alpha, who has the other colour.
  std::string StartGame(Color carol, absl::Duration initial = absl::Seconds(30), bool rated = false) {
    const stand_in::Seat alpha{.id = "alpha", .name = "Alpha", .title = "BOT"};
    const stand_in::Seat person{.id = "carol", .name = "Carol", .title = ""};
    stand_in::GameSpec spec;
    spec.initial = initial;
    spec.rated = rated;
    spec.seats = {carol == Color::kWhite ? person : alpha, carol == Color::kWhite ? alpha : person};
    return *world().StartGame(spec);
  }
  // What Carol sees of it.
  std::shared_ptr<stand_in::LineStream> Watch(const std::string& game) { return *world().OpenGame("carol", game); }

 private:
  stand_in::StandIn server_;
};

// Reads until a line has this in it.
std::string AwaitLine(stand_in::LineStream& stream, const std::string& part) {
  const auto until = std::chrono::steady_clock::now() + absl::ToChronoSeconds(kPatience);
  while (std::chrono::steady_clock::now() < until) {
    const auto line = stream.Next(std::chrono::milliseconds(100));
    if (line && line->find(part) != std::string::npos) return *line;
  }
  ADD_FAILURE() << "no line with " << part;
  return "";
}

stand_in::WorldOptions QuickWorld() {
  return {.gone_after = absl::Milliseconds(100), .claim_after = absl::Milliseconds(100)};
}

TEST(BotTest, PlaysAWholeGameAndArchivesIt) {
  const std::string pgn = testing::TempDir() + "/bot_test_games.pgn";
  std::filesystem::remove(pgn);
  Lichess lichess;
  RunningBot alpha(lichess.server(), SharedConnection(), "lip_alpha", {.policy = QuickPolicy(), .pgn_file = pgn});
  RunningBot beta(lichess.server(), SharedConnection(), "lip_beta", {.policy = QuickPolicy()});
  ASSERT_TRUE(lichess.world().Challenge("alpha", "Beta", {.limit_seconds = 30}).ok());
  ASSERT_TRUE(lichess.world().AwaitFinished(1, kPatience));
  const auto finished = lichess.world().finished();
  ASSERT_THAT(finished, SizeIs(1));
  EXPECT_GT(finished[0].moves.size(), 10u);
  EXPECT_THAT(finished[0].status, AnyOf("mate", "draw", "stalemate"));
  EXPECT_THAT(lichess.world().illegal_moves(), IsEmpty());
  ASSERT_TRUE(Await([&] { return alpha.view().games.empty() && beta.view().games.empty(); }));
  EXPECT_EQ(beta.view().counts.challenges_accepted, 1);
  EXPECT_TRUE(alpha.Stop().ok());
  std::ifstream file(pgn);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_THAT(text.str(), AllOf(HasSubstr("[White "), HasSubstr("[%eval "), HasSubstr("[%clk ")));
}

TEST(BotTest, PlaysOverTls) {
  TestAuthority authority("lichess");
  const CertificateFiles files = authority.Sign("DNS:localhost");
  Lichess lichess({.http = {.cert_file = files.cert, .key_file = files.key}});
  RunningBot alpha(lichess.server(), SharedConnection(), "lip_alpha", {.policy = QuickPolicy()}, QuickTimes(),
                   authority.ca_file());
  const std::string game = lichess.StartGame(Color::kWhite);
  const auto watch = lichess.Watch(game);
  ASSERT_TRUE(lichess.world().Move("carol", game, "e2e4", false).ok());
  AwaitLine(*watch, "e2e4 ");
}

TEST(BotTest, RefusesAnAccountThatIsNoneForBots) {
  Lichess lichess;
  const auto http = http::HttpClient::Open({.base_url = lichess.server().url(), .token = "lip_carol"});
  LichessApi api(**http, QuickTimes());
  const auto person = Bot::Start(api, SharedConnection(), {}, {});
  EXPECT_THAT(std::string(person.status().message()), AllOf(HasSubstr("Carol"), HasSubstr("--upgrade")));
  EXPECT_TRUE(Bot::Start(api, SharedConnection(), {.upgrade = true}, {}).ok());
  const auto nobody = http::HttpClient::Open({.base_url = lichess.server().url(), .token = "lip_nobody"});
  LichessApi other(**nobody, QuickTimes());
  EXPECT_THAT(std::string(Bot::Start(other, SharedConnection(), {}, {}).status().message()), HasSubstr("token"));
  lichess.world().AddAccount({.name = "Dave", .token = "lip_dave", .scopes = {"challenge:write"}});
  const auto without = http::HttpClient::Open({.base_url = lichess.server().url(), .token = "lip_dave"});
  LichessApi narrow(**without, QuickTimes());
  EXPECT_THAT(std::string(Bot::Start(narrow, SharedConnection(), {}, {}).status().message()), HasSubstr("bot:play"));
}

TEST(BotTest, DeclinesByItsPolicy) {
  Lichess lichess;
  BotPolicy policy = QuickPolicy();
  policy.challenges.rated = false;
  RunningBot alpha = lichess.Alpha(policy);
  ASSERT_TRUE(lichess.world().Challenge("carol", "alpha", {.rated = true}).ok());
  ASSERT_TRUE(lichess.world().Challenge("carol", "alpha", {.variant = "antichess"}).ok());
  ASSERT_TRUE(Await([&] { return lichess.world().declines().size() == 2; }));
  EXPECT_THAT(lichess.world().declines(), AllOf(Contains(Pair("casual", 1)), Contains(Pair("variant", 1))));
}

TEST(BotTest, GoesOnWithRunningGamesAfterARestart) {
  Lichess lichess;
  const std::string game = lichess.StartGame(Color::kWhite);
  const auto watch = lichess.Watch(game);
  ASSERT_TRUE(lichess.world().Move("carol", game, "e2e4", false).ok());
  {
    RunningBot alpha = lichess.Alpha();
    AwaitLine(*watch, "e2e4 ");
  }
  ASSERT_TRUE(lichess.world().Move("carol", game, "a2a3", false).ok());
  RunningBot again = lichess.Alpha();
  AwaitLine(*watch, " a2a3 ");
}

TEST(BotTest, ClaimsTheWinWhenTheOpponentHasLeft) {
  Lichess lichess({.world = QuickWorld()});
  RunningBot alpha = lichess.Alpha();
  const std::string game = lichess.StartGame(Color::kWhite);
  {
    const auto watch = lichess.Watch(game);
    ASSERT_TRUE(lichess.world().Move("carol", game, "e2e4", false).ok());
    AwaitLine(*watch, "e2e4 ");
    ASSERT_TRUE(lichess.world().Move("carol", game, "a2a3", false).ok());
    watch->Close();
  }
  ASSERT_TRUE(lichess.world().AwaitFinished(1, kPatience));
  EXPECT_EQ(lichess.world().finished()[0].status, "timeout");
  EXPECT_EQ(lichess.world().finished()[0].winner, Color::kBlack);
}

TEST(BotTest, AbortsAGameThatNeverStarts) {
  Lichess lichess;
  BotPolicy policy = QuickPolicy();
  policy.play.abort_after = absl::Milliseconds(100);
  RunningBot alpha = lichess.Alpha(policy);
  lichess.StartGame(Color::kWhite);
  ASSERT_TRUE(lichess.world().AwaitFinished(1, kPatience));
  EXPECT_EQ(lichess.world().finished()[0].status, "aborted");
}

TEST(BotTest, GrantsTakebacksInCasualGamesOnly) {
  Lichess lichess;
  RunningBot alpha = lichess.Alpha();
  const std::string game = lichess.StartGame(Color::kWhite);
  const auto watch = lichess.Watch(game);
  ASSERT_TRUE(lichess.world().Move("carol", game, "e2e4", false).ok());
  AwaitLine(*watch, "e2e4 ");
  ASSERT_TRUE(lichess.world().Takeback("carol", game, true).ok());
  AwaitLine(*watch, R"("moves":"")");
  ASSERT_TRUE(lichess.world().Move("carol", game, "d2d4", false).ok());
  AwaitLine(*watch, "d2d4 ");

  const std::string rated = lichess.StartGame(Color::kWhite, absl::Seconds(30), /*rated=*/true);
  const auto other = lichess.Watch(rated);
  ASSERT_TRUE(lichess.world().Move("carol", rated, "e2e4", false).ok());
  AwaitLine(*other, "e2e4 ");
  ASSERT_TRUE(lichess.world().Takeback("carol", rated, true).ok());
  AwaitLine(*other, R"("wtakeback":true)");
  const std::string refused = AwaitLine(*other, "gameState");
  EXPECT_THAT(refused, testing::Not(HasSubstr("wtakeback")));
}

TEST(BotTest, AnswersCommandsInTheChat) {
  Lichess lichess;
  RunningBot alpha = lichess.Alpha();
  const std::string game = lichess.StartGame(Color::kWhite);
  ASSERT_TRUE(Await([&] { return !alpha.view().games.empty(); }));
  ASSERT_TRUE(lichess.world().Chat("carol", game, "player", "!eval").ok());
  ASSERT_TRUE(Await([&] { return lichess.world().chat().size() == 2; }));
  EXPECT_THAT(lichess.world().chat()[1], HasSubstr("spectators only"));
}

TEST(BotTest, ResignsOrLeavesWhenStoppedByItsPolicy) {
  Lichess lichess;
  BotPolicy policy = QuickPolicy();
  policy.on_stop = StopPolicy::kResign;
  RunningBot alpha = lichess.Alpha(policy);
  const std::string game = lichess.StartGame(Color::kWhite);
  const auto watch = lichess.Watch(game);
  ASSERT_TRUE(lichess.world().Move("carol", game, "e2e4", false).ok());
  AwaitLine(*watch, "e2e4 ");
  EXPECT_TRUE(alpha.Stop().ok());
  ASSERT_TRUE(lichess.world().AwaitFinished(1, kPatience));
  EXPECT_EQ(lichess.world().finished()[0].status, "resign");
}

TEST(BotTest, SeeksOpponentsIfTold) {
  Lichess lichess;
  BotPolicy policy = QuickPolicy();
  policy.matchmaking = {.on = true, .idle = absl::Milliseconds(50), .clocks = {{absl::Seconds(30), absl::Seconds(1)}}};
  RunningBot beta(lichess.server(), SharedConnection(), "lip_beta", {.policy = QuickPolicy()});
  ASSERT_TRUE(Await([&] { return beta.view().online; }));
  RunningBot alpha = lichess.Alpha(policy);
  ASSERT_TRUE(lichess.world().AwaitFinished(1, kPatience));
  EXPECT_GE(alpha.view().counts.challenges_made, 1);
}

TEST(BotTest, SurvivesAHostileServer) {
  Lichess lichess;
  RunningBot alpha = lichess.Alpha();
  ASSERT_TRUE(Await([&] { return alpha.view().online; }));
  for (const char* line :
       {"{", "[]", "nonsense", R"({"type":"challenge"})", R"({"type":"gameStart","game":{"gameId":"../../x"}})",
        R"({"type":"gameStart","game":{"gameId":"nosuchgame"}})", R"({"type":"newest","x":[1]})"}) {
    lichess.world().InjectEvent("alpha", line);
  }
  const std::string game = lichess.StartGame(Color::kWhite);
  ASSERT_TRUE(Await([&] { return !alpha.view().games.empty(); }));
  lichess.world().Inject(game, R"({"type":"somethingNew"})");
  lichess.world().Inject(game, R"({"type":"gameState","moves":"e2e5","wtime":1,"btime":1,"status":"started"})");
  // It looks again, finds the game as it is, and plays on.
  const auto watch = lichess.Watch(game);
  ASSERT_TRUE(lichess.world().Move("carol", game, "e2e4", false).ok());
  AwaitLine(*watch, "e2e4 ");
  // A line without end costs a stream.
  const std::int64_t lost = alpha.view().counts.streams_lost;
  lichess.world().Inject(game, std::string(2 << 20, 'x'));
  ASSERT_TRUE(Await([&] { return alpha.view().counts.streams_lost > lost; }));
  // A game in which nonsense is said again and again is left.
  ASSERT_TRUE(Await([&] {
    lichess.world().Inject(game, "{}");
    return !lichess.world().finished().empty();
  }));
  ASSERT_TRUE(lichess.world().AwaitFinished(1, kPatience));
  EXPECT_THAT(lichess.world().finished()[0].status, AnyOf("resign", "aborted"));
  EXPECT_GE(alpha.view().counts.bad_events, 6);
  EXPECT_TRUE(alpha.Stop().ok());
}

}  // namespace
}  // namespace kibitz::client::lichess
