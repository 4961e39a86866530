#include "engine/board/pgn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "engine/board/fen.h"
#include "engine/board/uci_move.h"
#include "tests/support/random_game.h"

namespace kibitz {
namespace {

using testing::HasSubstr;

std::string Moves(const PgnGame& game) {
  return absl::StrJoin(game.moves, " ", [&](std::string* out, const PgnMove& each) {
    out->append(ToUci(each.move, game.start.variant()));
  });
}

PgnGame Only(absl::string_view text) {
  PgnReader reader(text);
  auto game = reader.Next();
  EXPECT_TRUE(game.ok()) << game.status();
  if (!game.ok() || !game->has_value()) return {};
  const auto end = reader.Next();
  EXPECT_TRUE(end.ok() && !end->has_value());
  return **std::move(game);
}

std::string ErrorOf(absl::string_view text) {
  PgnReader reader(text);
  return std::string(reader.Next().status().message());
}

TEST(PgnTest, ReadsTagsMovesAndResult) {
  const PgnGame game = Only("[Event \"A \\\"good\\\" game\"]\n[White \"Ann\"]\n\n1. e4 e5 2. Nf3 Nc6 1/2-1/2\n");
  EXPECT_EQ(game.Tag("Event"), "A \"good\" game");
  EXPECT_EQ(game.Tag("White"), "Ann");
  EXPECT_EQ(game.Tag("Black"), "");
  EXPECT_EQ(Moves(game), "e2e4 e7e5 g1f3 b8c6");
  EXPECT_EQ(game.result, "1/2-1/2");
}

TEST(PgnTest, KeepsCommentsGlyphsAndVariations) {
  const PgnGame game = Only(
      "\xEF\xBB\xBF; a file\n% an escape\n1.e4 {best\nby test} (1. d4 d5 (1... Nf6 {)}) 2. c4) 1...c5 $1 !? 2.Nf3! ; "
      "good\n"
      "d6 3. Bb5+ Nd7 4.0-0 *");
  EXPECT_EQ(Moves(game), "e2e4 c7c5 g1f3 d7d6 f1b5 b8d7 e1g1");
  ASSERT_EQ(game.moves.size(), 7u);
  EXPECT_EQ(game.moves[0].comment, "best by test");
  EXPECT_EQ(game.moves[1].comment, "");
  EXPECT_THAT(game.moves[1].glyphs, testing::ElementsAre(1, 5));
  EXPECT_THAT(game.moves[2].glyphs, testing::ElementsAre(1));
  EXPECT_EQ(game.moves[2].comment, "good");
  ASSERT_EQ(game.moves[0].variations.size(), 1u);
  const PgnLine& variation = game.moves[0].variations[0];
  ASSERT_EQ(variation.size(), 3u);
  EXPECT_EQ(ToUci(variation[2].move, Variant::kStandard), "c2c4");
  ASSERT_EQ(variation[1].variations.size(), 1u);
  EXPECT_EQ(ToUci(variation[1].variations[0][0].move, Variant::kStandard), "g8f6");
  EXPECT_EQ(variation[1].variations[0][0].comment, ")");
}

TEST(PgnTest, KeepsWhatCanBeReadOfAVariation) {
  const PgnGame game = Only("1. e4 e5 (1... c5 2. Ke5 {no} (2. x) d6) 2. Nf3 (2. zz) ({only a word} 2. d4) *");
  EXPECT_EQ(Moves(game), "e2e4 e7e5 g1f3");
  ASSERT_EQ(game.moves[1].variations.size(), 1u);
  EXPECT_EQ(game.moves[1].variations[0].size(), 1u);
  ASSERT_EQ(game.moves[2].variations.size(), 1u);
  EXPECT_EQ(game.moves[2].variations[0][0].comment_before, "only a word");
}

TEST(PgnTest, EndsAtTagsInAVariation) {
  EXPECT_THAT(ErrorOf("1. e4 e5 (1... [Event \"A\""), HasSubstr("does not end"));
  EXPECT_EQ(Moves(Only("1. e4 e5 (1... c5 [Event \"A\"]) 2. Nf3 *")), "e2e4 e7e5 g1f3");
}

TEST(PgnTest, ReadsVariationsOfAnyDepth) {
  std::string text = "1. e4 e5 ";
  constexpr int kDepth = 5000;
  for (int i = 0; i < kDepth; ++i) text += "(1... e5 ";
  for (int i = 0; i < kDepth; ++i) text += ")";
  EXPECT_EQ(Moves(Only(text + " 2. Nf3 *")), "e2e4 e7e5 g1f3");
}

TEST(PgnTest, TellsHowFarAGameCanBeRead) {
  PgnReader reader("[White \"A\"]\n\n1. e4 e5\n2. Ke3 Nc6 *\n\n[White \"B\"]\n\n1. d4 *\n\n[FEN \"8/8\"]\n\n1. e4 *\n");
  const auto bad = reader.NextReadable();
  ASSERT_TRUE(bad.has_value() && bad->defect.has_value());
  EXPECT_EQ(Moves(*bad), "e2e4 e7e5");
  EXPECT_EQ(bad->defect->line, 4);
  EXPECT_EQ(bad->defect->column, 4);
  EXPECT_EQ(bad->defect->ply, 3);
  EXPECT_THAT(bad->defect->what, HasSubstr("Ke3"));
  const auto good = reader.NextReadable();
  ASSERT_TRUE(good.has_value());
  EXPECT_FALSE(good->defect.has_value());
  EXPECT_EQ(good->Tag("White"), "B");
  const auto worst = reader.NextReadable();
  ASSERT_TRUE(worst.has_value() && worst->defect.has_value());
  EXPECT_EQ(worst->defect->ply, 0);
  EXPECT_FALSE(reader.NextReadable().has_value());
}

TEST(PgnTest, WritesGlyphsAndVariations) {
  const std::string text =
      "[Event \"x\"]\n\n{first} 1. e4 $1 {best} (1. d4 d5 (1... Nf6 $5) 2. c4) (1. c4) 1... e5 2. Nf3 *\n\n";
  EXPECT_EQ(ToPgn(Only(text)), text);
}

TEST(PgnTest, ReadsManyGamesWithAndWithoutResults) {
  PgnReader reader("1. e4 1-0\n1. d4 0-1\n[Result \"1-0\"]\n1. c4\n\n[White \"x\"]\n\n*\n");
  std::vector<std::string> seen;
  for (auto game = reader.Next(); game.ok() && game->has_value(); game = reader.Next()) {
    seen.push_back(Moves(**game) + " " + (*game)->result);
  }
  EXPECT_THAT(seen, testing::ElementsAre("e2e4 1-0", "d2d4 0-1", "c2c4 1-0", " *"));
}

TEST(PgnTest, ReadsPositionsAndVariants) {
  const PgnGame game = Only("[FEN \"4k3/8/8/8/8/8/8/R3K3 b Q - 3 40\"]\n\n40... Kf7 41. O-O-O *");
  EXPECT_EQ(Moves(game), "e8f7 e1c1");
  const PgnGame shuffled = Only("[Variant \"fischerandom\"]\n[FEN \"4k3/8/8/8/8/8/8/1R3K2 w B - 0 1\"]\n\n1. O-O-O *");
  EXPECT_EQ(Moves(shuffled), "f1b1");
}

TEST(PgnTest, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(ErrorOf("1. e4 e5\n2. Ke3 *"), HasSubstr("line 2: "));
  EXPECT_THAT(ErrorOf("1. e4 {never"), HasSubstr("does not end"));
  EXPECT_THAT(ErrorOf("1. e4 (1. d4"), HasSubstr("does not end"));
  EXPECT_THAT(ErrorOf("1. e4 )"), HasSubstr("not opened"));
  EXPECT_THAT(ErrorOf("[White Ann]\n"), HasSubstr("quotes"));
  EXPECT_THAT(ErrorOf("[\"Ann\"]\n"), HasSubstr("no name"));
  EXPECT_THAT(ErrorOf("1. \"e4\""), HasSubstr("quotation mark"));
  EXPECT_THAT(ErrorOf("[White \"Ann]\n"), HasSubstr("does not end"));
  EXPECT_THAT(ErrorOf("[FEN \"8/8\"]\n*"), HasSubstr("line 2: "));
}

TEST(PgnTest, GoesOnAfterABadGame) {
  PgnReader reader(
      "[White \"bad]\n[Black \"x\"]\n\n1. e4 *\n\n[White \"worse\"]\n\n1. Qh5\nd6 *\n\n[White \"good\"]\n\n1. d4 *\n");
  EXPECT_FALSE(reader.Next().ok());
  EXPECT_FALSE(reader.Next().ok());
  const auto good = reader.Next();
  ASSERT_TRUE(good.ok() && good->has_value());
  EXPECT_EQ((*good)->Tag("White"), "good");
  EXPECT_FALSE(reader.Next()->has_value());
}

TEST(PgnTest, EndsOnAnyText) {
  const std::string junk = "[]{}()\";$%* 1.e4 \n\\x";
  RandomGame random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (int i = random.Below(40); i > 0; --i) text += junk[static_cast<std::size_t>(random.Below(20))];
    PgnReader reader(text);
    int games = 0;
    for (auto game = reader.Next(); !game.ok() || game->has_value(); game = reader.Next())
      ASSERT_LT(++games, 100) << text;
  }
}

TEST(PgnTest, WritesShortLines) {
  PgnGame game;
  game.tags = {{"White", "A \"B\" \\"}, {"Result", "1-0"}};
  game.result = "1-0";
  Position position;
  RandomGame random(3);
  for (int ply = 0; ply < 60; ++ply) {
    const Move move = random.PickMove(position);
    game.moves.push_back({.move = move, .comment = ply % 3 == 0 ? "a} comment" : ""});
    position.MakeMove(move);
  }
  const std::string text = ToPgn(game);
  for (absl::string_view line : absl::StrSplit(text, '\n')) EXPECT_LE(line.size(), 80u);
  EXPECT_THAT(text, HasSubstr("{a) comment} 1..."));
  EXPECT_EQ(Only(text).Tag("White"), "A \"B\" \\");
}

TEST(PgnTest, ReadsWhatItWrites) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomGame random(seed);
    PgnGame game;
    const bool chess960 = seed % 2 == 1;
    if (chess960) game.start = *ParseFen(random.Chess960Start(), Variant::kChess960);
    Position position = game.start;
    for (int ply = 0; ply < 80; ++ply) {
      const Move move = random.PickMove(position);
      if (move.IsNone()) break;
      game.moves.push_back({.move = move, .comment = random.Below(3) == 0 ? "+0.25/12 0.1s" : ""});
      position.MakeMove(move);
    }
    game.result = "0-1";
    const PgnGame again = Only(ToPgn(game));
    EXPECT_EQ(ToFen(again.start), ToFen(game.start));
    EXPECT_EQ(Moves(again), Moves(game));
    EXPECT_EQ(again.result, game.result);
    for (std::size_t i = 0; i < game.moves.size(); ++i) EXPECT_EQ(again.moves[i].comment, game.moves[i].comment);
  }
}

}  // namespace
}  // namespace kibitz
