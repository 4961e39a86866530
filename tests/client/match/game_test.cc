#include "client/match/game.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "client/match/uci_player.h"
#include "engine/board/fen.h"
#include "tests/client/match/fake_engine_path.h"
#include "tests/client/match/scripted_player.h"
#include "tests/support/syzygy.h"

namespace kibitz::client {
namespace {

using testing::HasSubstr;

PlayedGame Play(ScriptedPlayer white, ScriptedPlayer black, const GameRules& rules = {},
                absl::string_view fen = kStartFen) {
  return PlayGame({white, Depth(1)}, {black, Depth(1)}, {.start = *ParseFen(fen), .moves = {}}, rules);
}

TEST(GameTest, EndsWithMate) {
  const PlayedGame game = Play(ScriptedPlayer("f2f3 g2g4"), ScriptedPlayer("e7e5 d8h4"));
  EXPECT_EQ(game.outcome, GameOutcome::kBlackWins);
  EXPECT_EQ(game.termination, Termination::kNormal);
  EXPECT_EQ(game.reason, "Black mates");
  EXPECT_EQ(game.moves.size(), 4u);
  EXPECT_FALSE(game.failed);
}

TEST(GameTest, EndsWithTheRulesDraws) {
  const auto reason = [](absl::string_view fen, absl::string_view white, absl::string_view black) {
    const PlayedGame game = Play(ScriptedPlayer(white), ScriptedPlayer(black), {}, fen);
    EXPECT_EQ(game.outcome, GameOutcome::kDraw);
    return game.reason;
  };
  EXPECT_THAT(reason(kStartFen, "g1f3 f3g1", "g8f6 f6g8"), HasSubstr("repetition"));
  EXPECT_THAT(reason("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "g1g6", ""), HasSubstr("stalemate"));
  EXPECT_THAT(reason("7k/8/8/8/8/8/R7/K7 w - - 99 80", "a2b2", ""), HasSubstr("fifty"));
  EXPECT_THAT(reason("7k/6P1/8/8/8/8/8/K7 b - - 0 1", "", "h8g7"), HasSubstr("insufficient"));
}

TEST(GameTest, LosesByAnIllegalMove) {
  const PlayedGame game = Play(ScriptedPlayer("e2e4"), ScriptedPlayer("e7e4"));
  EXPECT_EQ(game.outcome, GameOutcome::kWhiteWins);
  EXPECT_EQ(game.termination, Termination::kRulesInfraction);
  EXPECT_THAT(game.reason, HasSubstr("illegal move: 'e7e4'"));
  EXPECT_EQ(game.failed, Color::kBlack);
}

TEST(GameTest, BeginsAfterTheOpening) {
  ScriptedPlayer white("d8h4");
  ScriptedPlayer black("d8h4");
  const Opening opening{
      .start = Position(),
      .moves = {Move(Square::kF2, Square::kF3), Move(Square::kE7, Square::kE5), Move(Square::kG2, Square::kG4)}};
  const PlayedGame game = PlayGame({white, Depth(1)}, {black, Depth(1)}, opening, {});
  EXPECT_EQ(game.outcome, GameOutcome::kBlackWins);
  ASSERT_EQ(game.moves.size(), 4u);
  EXPECT_FALSE(game.moves[2].thought);
  EXPECT_TRUE(game.moves[3].thought);
}

TEST(GameTest, RunsTheClocks) {
  ScriptedPlayer white("f2f3 g2g4", std::nullopt, absl::Milliseconds(400));
  ScriptedPlayer black("e7e5 d8h4", std::nullopt, absl::Milliseconds(100));
  const PlayedGame game = PlayGame({white, Clock("1+0.1")}, {black, Clock("2")}, {}, {});
  EXPECT_THAT(white.clocks, testing::ElementsAre(absl::Milliseconds(1100), absl::Milliseconds(800)));
  EXPECT_EQ(game.moves[1].clock_left, absl::Milliseconds(1900));
}

TEST(GameTest, LosesOnTimeBeyondTheMargin) {
  const auto outcome = [](absl::Duration elapsed) {
    ScriptedPlayer white("f2f3 g2g4", std::nullopt, elapsed);
    ScriptedPlayer black("e7e5 d8h4");
    TimeControl control = Clock("1");
    control.margin = absl::Milliseconds(20);
    return PlayGame({white, control}, {black, control}, {}, {}).termination;
  };
  EXPECT_EQ(outcome(absl::Milliseconds(500)), Termination::kNormal);
  EXPECT_EQ(outcome(absl::Milliseconds(1020)), Termination::kTimeForfeit);
  EXPECT_EQ(outcome(absl::Milliseconds(1021)), Termination::kTimeForfeit);
}

TEST(GameTest, IsAdjudicatedWhenBothAgree) {
  GameRules rules;
  rules.adjudication.resign_moves = 2;
  const auto shuffle = [&](std::optional<PlayerScore> white, std::optional<PlayerScore> black) {
    return Play(ScriptedPlayer("g1f3 f3g1", white), ScriptedPlayer("g8f6 f6g8", black), rules);
  };
  const PlayedGame won = shuffle(PlayerScore{false, 700}, PlayerScore{true, -3});
  EXPECT_EQ(won.outcome, GameOutcome::kWhiteWins);
  EXPECT_EQ(won.termination, Termination::kAdjudication);
  EXPECT_EQ(won.moves.size(), 4u);
  EXPECT_EQ(shuffle(PlayerScore{false, -600}, PlayerScore{false, 600}).outcome, GameOutcome::kBlackWins);
  EXPECT_EQ(shuffle(PlayerScore{false, 700}, PlayerScore{false, 0}).termination, Termination::kNormal);
  EXPECT_EQ(shuffle(PlayerScore{false, 700}, std::nullopt).termination, Termination::kNormal);

  rules = {};
  rules.adjudication.draw_moves = 2;
  rules.adjudication.draw_from_move = 2;
  const PlayedGame drawn = shuffle(PlayerScore{false, 10}, PlayerScore{false, -15});
  EXPECT_EQ(drawn.termination, Termination::kAdjudication);
  EXPECT_EQ(drawn.outcome, GameOutcome::kDraw);
  EXPECT_EQ(drawn.moves.size(), 7u);
  EXPECT_EQ(shuffle(PlayerScore{false, 16}, PlayerScore{false, 0}).termination, Termination::kNormal);

  rules = {};
  rules.adjudication.max_moves = 3;
  EXPECT_EQ(shuffle(std::nullopt, std::nullopt).moves.size(), 6u);
}

TEST(GameTest, EndsWithTheResultOfTheTables) {
  KIBITZ_SKIP_WITHOUT_SYZYGY();
  GameRules rules;
  ASSERT_TRUE(UseTablebases(*FindSyzygyTables(), rules.adjudication).ok());
  const auto play = [&](absl::string_view fen, absl::string_view white) {
    // Both believe that White is lost: the tables know better.
    rules.adjudication.resign_moves = 1;
    return Play(ScriptedPlayer(white, PlayerScore{false, -900}), ScriptedPlayer("g8f8 f8g8", PlayerScore{false, 900}),
                rules, fen);
  };
  // The king takes a pawn: what is left are a queen, two knights, and a queen against it.
  const PlayedGame won = play("6k1/8/8/8/8/8/1p6/K6Q w - - 0 1", "a1b2");
  EXPECT_EQ(won.outcome, GameOutcome::kWhiteWins);
  EXPECT_EQ(won.termination, Termination::kAdjudication);
  EXPECT_EQ(won.reason, "White wins by adjudication: the endgame tables say so");
  EXPECT_EQ(won.moves.size(), 1u);
  EXPECT_EQ(play("6k1/8/8/8/8/8/1p5N/K6N w - - 0 1", "a1b2").outcome, GameOutcome::kDraw);
  EXPECT_EQ(play("6k1/7q/8/8/8/8/8/K7 w - - 12 9", "a1a2").moves.size(), 2u) << "the clock is not at zero";
  EXPECT_EQ(play("6k1/7q/8/8/8/8/1p6/K7 w - - 0 1", "a1b2").outcome, GameOutcome::kBlackWins);
}

TEST(GameTest, SaysWhatIsWrongWithTheTables) {
  AdjudicationRules rules;
  EXPECT_THAT(UseTablebases("/no/such/folder", rules).ToString(), HasSubstr("'/no/such/folder'"));
  EXPECT_THAT(UseTablebases(testing::TempDir(), rules).ToString(), HasSubstr("no Syzygy tables"));
  EXPECT_FALSE(rules.tablebases);
}

// Black is the fake engine with these arguments.
PlayedGame AgainstFake(std::vector<std::string> arguments, const TimeControl& control, const GameRules& rules = {}) {
  ScriptedPlayer white("g1f3 f3g1");
  auto fake = UciPlayer::Start(FakeEngine(std::move(arguments)));
  EXPECT_TRUE(fake.ok()) << fake.status();
  if (!fake.ok()) return {};
  return PlayGame({white, control}, {**fake, control}, {}, rules);
}

TEST(UciGameTest, TakesScoresAndMoves) {
  GameRules rules;
  rules.adjudication.max_moves = 2;
  const PlayedGame game = AgainstFake({"score=-35"}, Depth(1), rules);
  ASSERT_EQ(game.moves.size(), 4u) << game.reason;
  const Thought& thought = *game.moves[3].thought;
  EXPECT_EQ(thought.move, "a5a4");
  EXPECT_EQ(thought.score->value, -35);
  EXPECT_EQ(thought.depth, 7);
  EXPECT_EQ(thought.nodes, 99);
}

TEST(UciGameTest, LosesByACrash) {
  const PlayedGame game = AgainstFake({"crash=2"}, Depth(1));
  EXPECT_EQ(game.outcome, GameOutcome::kWhiteWins);
  EXPECT_EQ(game.termination, Termination::kAbandoned);
  EXPECT_EQ(game.reason, "Black loses: the engine ended");
  EXPECT_EQ(game.failed, Color::kBlack);
  EXPECT_EQ(game.moves.size(), 3u);
}

TEST(UciGameTest, LosesByAnIllegalMove) {
  EXPECT_EQ(AgainstFake({"illegal=2"}, Depth(1)).termination, Termination::kRulesInfraction);
}

TEST(UciGameTest, LosesByHanging) {
  GameRules rules;
  rules.hang_after = absl::Milliseconds(50);
  const PlayedGame game = AgainstFake({"hang=1"}, Depth(1), rules);
  EXPECT_EQ(game.termination, Termination::kAbandoned);
  EXPECT_THAT(game.reason, HasSubstr("not answered in time"));
}

TEST(UciGameTest, LosesOnTime) {
  EXPECT_EQ(AgainstFake({"hang=1"}, Clock("0.05")).termination, Termination::kTimeForfeit);
  EXPECT_EQ(AgainstFake({"late=1"}, Clock("0.3")).termination, Termination::kTimeForfeit);
}

TEST(UciGameTest, ReportsAnEngineThatDoesNotStart) {
  EXPECT_EQ(UciPlayer::Start(FakeEngine({"silent"}), absl::Milliseconds(50)).status().code(),
            absl::StatusCode::kDeadlineExceeded);
  EngineOptions missing;
  missing.command.words = {"no-such-engine"};
  EXPECT_EQ(UciPlayer::Start(missing).status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace kibitz::client
