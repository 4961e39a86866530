#include "client/uci/game.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/board/fen.h"

namespace kibitz::client::uci {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kMated[] = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
constexpr char kCastling[] = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";

TEST(GameTest, BeginsAtTheStart) {
  const Game game;
  EXPECT_EQ(ToFen(game.position()), kStartFen);
  EXPECT_EQ(game.wire().fen(), "");
  EXPECT_FALSE(game.AnyMove().empty());
}

TEST(GameTest, KeepsTheOldPositionAfterABadFen) {
  Game game;
  ASSERT_TRUE(game.Set("", {"e2e4"}, false).ok());
  EXPECT_FALSE(game.Set("8/8/8/8/8/8/8/8 w - - 0 1", {}, false).ok());
  EXPECT_THAT(game.wire().moves(), ElementsAre("e2e4"));
}

TEST(GameTest, KeepsTheMovesBeforeAnIllegalOne) {
  Game game;
  EXPECT_THAT(std::string(game.Set("", {"e2e4", "e2e4", "e7e5"}, false).message()), HasSubstr("e2e4"));
  EXPECT_THAT(game.wire().moves(), ElementsAre("e2e4"));
  EXPECT_EQ(game.position().side_to_move(), Color::kBlack);
}

TEST(GameTest, WritesCastlingByTheVariant) {
  Game game;
  ASSERT_TRUE(game.Set(kCastling, {"e1h1"}, false).ok());
  EXPECT_THAT(game.wire().moves(), ElementsAre("e1g1"));
  ASSERT_TRUE(game.Set(kCastling, {"e1h1"}, true).ok());
  EXPECT_THAT(game.wire().moves(), ElementsAre("e1h1"));
  EXPECT_EQ(game.wire().variant(), v1::VARIANT_CHESS960);
}

TEST(GameTest, ChangesTheVariantOfTheSamePosition) {
  Game game;
  ASSERT_TRUE(game.Set(kCastling, {}, false).ok());
  ASSERT_TRUE(game.SetChess960(true).ok());
  EXPECT_EQ(game.wire().variant(), v1::VARIANT_CHESS960);
  EXPECT_EQ(ToFen(game.position()), kCastling);
}

TEST(GameTest, SortsLegalMovesFromOthers) {
  std::vector<std::string> illegal;
  EXPECT_THAT(Game().LegalOnes({"e2e4", "e2e5", "junk", "g1f3"}, illegal), ElementsAre("e2e4", "g1f3"));
  EXPECT_THAT(illegal, ElementsAre("e2e5", "junk"));
}

TEST(GameTest, HasNoMoveWhenTheGameIsOver) {
  Game game;
  ASSERT_TRUE(game.Set(kMated, {}, false).ok());
  EXPECT_EQ(game.AnyMove(), "");
}

TEST(GameTest, DrawsTheBoard) {
  Game game;
  ASSERT_TRUE(game.Set(kMated, {}, false).ok());
  EXPECT_THAT(game.Picture(), HasSubstr(std::string("Fen: ") + kMated));
  EXPECT_THAT(game.Picture(), HasSubstr("In check: yes"));
}

}  // namespace
}  // namespace kibitz::client::uci
