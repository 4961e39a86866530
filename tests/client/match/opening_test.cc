#include "client/match/opening.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "engine/board/fen.h"
#include "engine/board/movegen.h"

namespace kibitz::client {
namespace {

using testing::HasSubstr;

std::string EndOf(const OpeningSource& source, int number) {
  const auto opening = source(number);
  return opening.ok() ? ToFen(opening->End()) : opening.status().ToString();
}

absl::StatusOr<int> Balanced(const Position&) { return 0; }

TEST(OpeningTest, TakesGamesOfAPgn) {
  const auto source = OpeningsFromPgn("1. e4 e5 2. Nf3 *\n1. d4 *\n", {.plies = 2});
  ASSERT_TRUE(source.ok());
  EXPECT_EQ(EndOf(*source, 0), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
  EXPECT_THAT(EndOf(*source, 1), HasSubstr("3P4"));
  EXPECT_EQ(EndOf(*source, 2), EndOf(*source, 0));
}

TEST(OpeningTest, TakesPositionsOfAnEpd) {
  const auto source = OpeningsFromEpd(
      "4k3/8/8/8/8/8/8/R3K3 w Q - bm Ra8; id \"x\";\n\n# nothing\n4k3/8/8/8/8/8/8/R3K3 b - - 5 9\n", {});
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_EQ(EndOf(*source, 0), "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
  EXPECT_EQ(EndOf(*source, 1), "4k3/8/8/8/8/8/8/R3K3 b - - 5 9");
}

TEST(OpeningTest, SaysWhichLineIsWrong) {
  EXPECT_THAT(std::string(OpeningsFromEpd("4k3/8/8/8/8/8/8/R3K3 w - -\nnonsense\n", {}).status().message()),
              HasSubstr("line 2"));
  EXPECT_THAT(std::string(OpeningsFromPgn("1. e5 *", {}).status().message()), HasSubstr("line 1"));
  EXPECT_FALSE(OpeningsFromPgn("", {}).ok());
}

TEST(OpeningTest, ShufflesTheSameWayForTheSameSeed) {
  std::string pgn;
  for (const Move move : LegalMoves(Position())) {
    Opening one{.start = Position(), .moves = {move}};
    pgn += "[FEN \"" + ToFen(one.End()) + "\"]\n\n*\n\n";
  }
  const auto list = [&](bool shuffle, std::uint64_t seed) {
    const auto source = OpeningsFromPgn(pgn, {.shuffle = shuffle, .seed = seed});
    std::vector<std::string> ends;
    for (int i = 0; i < 20; ++i) ends.push_back(EndOf(*source, i));
    return ends;
  };
  EXPECT_EQ(list(true, 5), list(true, 5));
  EXPECT_NE(list(true, 5), list(true, 6));
  EXPECT_NE(list(true, 5), list(false, 5));
  EXPECT_THAT(list(true, 5), testing::UnorderedElementsAreArray(list(false, 5)));
}

TEST(OpeningTest, MakesDifferentRandomOpenings) {
  const OpeningSource source = RandomOpenings({.plies = 6, .seed = 3}, Balanced);
  const OpeningSource again = RandomOpenings({.plies = 6, .seed = 3}, Balanced);
  std::set<std::string> ends;
  EndOf(again, 7);  // in whatever order they are asked for
  for (int i = 99; i >= 0; --i) {
    EXPECT_EQ(EndOf(source, i), EndOf(again, i));
    EXPECT_EQ(source(i)->moves.size(), 6u);
    ends.insert(EndOf(source, i));
  }
  EXPECT_EQ(ends.size(), 100u);
}

TEST(OpeningTest, AsksTheJudge) {
  const auto white_moved_a_pawn = [](const Position& position) -> absl::StatusOr<int> {
    return position.board().Of(PieceType::kPawn) == Position().board().Of(PieceType::kPawn) ? 100 : 60;
  };
  const OpeningSource source = RandomOpenings({.plies = 1, .seed = 3}, white_moved_a_pawn, 60);
  for (int i = 0; i < 16; ++i) EXPECT_TRUE(source(i).ok());
  EXPECT_THAT(source(16).status().ToString(), HasSubstr("no more than 16 openings"));
  const auto gone = [](const Position&) -> absl::StatusOr<int> { return absl::UnavailableError("gone"); };
  EXPECT_EQ(RandomOpenings({}, gone)(0).status().message(), "gone");
}

TEST(OpeningTest, FollowsABookToItsEnd) {
  // One entry: the key of the starting position (from Polyglot's description of its format), e2e4, weight 1.
  const std::string entry("\x46\x3b\x96\x18\x16\x91\xfc\x9c\x03\x1c\x00\x01\x00\x00\x00\x00", 16);
  auto book = PolyglotBook::FromBytes(entry);
  ASSERT_TRUE(book.ok()) << book.status();
  const OpeningSource source = BookOpenings(*std::move(book), {.plies = 8});
  EXPECT_EQ(EndOf(source, 0), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
  EXPECT_THAT(EndOf(source, 1), HasSubstr("no more than 1 openings"));
}

}  // namespace
}  // namespace kibitz::client
