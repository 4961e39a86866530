#include "client/lichess/bot/events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "client/lichess/bot/followed_game.h"

namespace kibitz::client::lichess {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kFull[] = R"({"type":"gameFull","id":"abcd1234","variant":{"key":"standard"},"speed":"blitz",
"rated":true,"initialFen":"startpos","clock":{"initial":180000,"increment":2000},
"white":{"id":"alpha","name":"Alpha","title":"BOT","rating":2000},"black":{"aiLevel":3},
"state":{"type":"gameState","moves":"e2e4 e7e5","wtime":1000,"btime":2000,"winc":0,"binc":0,"status":"started",
"bdraw":true}})";

GameFull Full() { return std::get<GameFull>(*ParseGameEvent(kFull)); }

TEST(EventsTest, ReadsAGame) {
  const GameFull full = Full();
  EXPECT_EQ(full.id, "abcd1234");
  EXPECT_TRUE(full.rated);
  EXPECT_TRUE(full.initial_fen.empty());
  EXPECT_TRUE(full.players[0].IsBot());
  EXPECT_EQ(full.players[1].name, "Stockfish level 3");
  EXPECT_EQ(full.clock->increment, absl::Seconds(2));
  EXPECT_THAT(full.state.moves, ElementsAre("e2e4", "e7e5"));
  EXPECT_EQ(full.state.time[1], absl::Seconds(2));
  EXPECT_TRUE(full.state.offers_draw[1]);
  EXPECT_FALSE(full.state.IsOver());
}

TEST(EventsTest, ReadsAnAccountsEvents) {
  const auto challenge = ParseAccountEvent(
      R"({"type":"challenge","challenge":{"id":"x1","challenger":{"id":"carol","name":"Carol","title":null,"rating":1500},
      "variant":{"key":"chess960"},"rated":false,"timeControl":{"type":"clock","limit":60,"increment":1}}})");
  ASSERT_TRUE(challenge.ok()) << challenge.status();
  const Challenge& made = std::get<ChallengeMade>(*challenge).challenge;
  EXPECT_EQ(made.from.name, "Carol");
  EXPECT_EQ(made.variant, "chess960");
  EXPECT_EQ(made.clock->initial, absl::Minutes(1));
  const auto start = ParseAccountEvent(R"({"type":"gameStart","game":{"gameId":"g1","opponent":{"id":"carol"}}})");
  EXPECT_EQ(std::get<GameStarted>(*start).id, "g1");
  const auto other = ParseAccountEvent(R"({"type":"somethingNew"})");
  EXPECT_EQ(std::get<UnknownEvent>(*other).type, "somethingNew");
}

TEST(EventsTest, RefusesWithTheField) {
  const auto words = [](const char* line) { return std::string(ParseGameEvent(line).status().message()); };
  EXPECT_THAT(words("{"), HasSubstr("no JSON"));
  EXPECT_THAT(words("[]"), HasSubstr("no object"));
  EXPECT_THAT(words("{}"), HasSubstr("type"));
  EXPECT_THAT(words(R"({"type":"gameFull","id":"../x"})"), HasSubstr("the field id is no identity"));
  EXPECT_THAT(words(R"({"type":"gameFull","id":"x"})"), HasSubstr("the field state is missing"));
  EXPECT_THAT(words(R"({"type":"gameState","moves":"","wtime":"soon"})"), HasSubstr("wtime"));
}

TEST(FollowedGameTest, FollowsMovesAndTakebacks) {
  auto game = FollowedGame::Begin(Full(), "alpha", {});
  ASSERT_TRUE(game.ok()) << game.status();
  EXPECT_TRUE(game->IsOurTurn());
  GameState state = game->state();
  state.moves = {"e2e4", "e7e5", "g1f3"};
  ASSERT_TRUE(game->Take(state, {}).ok());
  EXPECT_FALSE(game->IsOurTurn());
  state.moves = {"e2e4"};
  ASSERT_TRUE(game->Take(state, {}).ok());
  EXPECT_EQ(game->moves().size(), 1u);
}

TEST(FollowedGameTest, RefusesIllegalMovesAndForeignGames) {
  GameFull full = Full();
  EXPECT_FALSE(FollowedGame::Begin(full, "carol", {}).ok());
  full.state.moves = {"e2e5"};
  EXPECT_THAT(std::string(FollowedGame::Begin(full, "alpha", {}).status().message()), HasSubstr("illegal move"));
  full = Full();
  full.variant = "atomic";
  EXPECT_THAT(std::string(FollowedGame::Begin(full, "alpha", {}).status().message()), HasSubstr("atomic"));
  full.variant = "fromPosition";
  full.initial_fen = "8/8/8/8/8/8/8/8 w - - 0 1";
  EXPECT_THAT(std::string(FollowedGame::Begin(full, "alpha", {}).status().message()), HasSubstr("position"));
}

TEST(FollowedGameTest, TakesTheTimeSinceTheLastWordOffTheClockThatRuns) {
  const auto game = FollowedGame::Begin(Full(), "alpha", SteadyTime(std::chrono::seconds(100)));
  ASSERT_TRUE(game.ok());
  const SteadyTime later(std::chrono::milliseconds(100'400));
  EXPECT_EQ(game->TimeOf(Color::kWhite, later), absl::Milliseconds(600));
  EXPECT_EQ(game->TimeOf(Color::kBlack, later), absl::Seconds(2));
  EXPECT_EQ(game->TimeOf(Color::kWhite, SteadyTime(std::chrono::seconds(200))), absl::ZeroDuration());
}

}  // namespace
}  // namespace kibitz::client::lichess
