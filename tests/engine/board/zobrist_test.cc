#include "engine/board/zobrist.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "engine/board/fen.h"
#include "engine/board/position.h"
#include "tests/support/perft_suite.h"
#include "tests/support/positions.h"

namespace kibitz {
namespace {

Key KeyOf(absl::string_view fen, Variant variant = Variant::kStandard) { return MustParse(fen, variant).key(); }

TEST(ZobristTest, WordsAreDistinct) {
  std::set<Key> seen;
  int words = 0;
  const auto add = [&](Key word) {
    EXPECT_NE(word, 0u);
    seen.insert(word);
    ++words;
  };
  for (const auto& color : zobrist::kWords.piece) {
    for (const auto& type : color) {
      for (Key word : type) add(word);
    }
  }
  for (Key word : zobrist::kWords.castling_rook) add(word);
  for (Key word : zobrist::kWords.en_passant_file) add(word);
  add(zobrist::kWords.black_to_move);
  EXPECT_EQ(static_cast<int>(seen.size()), words);
}

// Tools write keys to disk: they must not change from one version to the next.
TEST(ZobristTest, KeysAreThoseOfYesterday) { EXPECT_EQ(Position().key(), 4016288345943795947u); }

TEST(ZobristTest, EveryPartCounts) {
  const Key base = KeyOf("4k3/8/8/3pP3/8/8/8/R3K2R w KQ d6 0 1");
  EXPECT_NE(base, KeyOf("4k3/8/8/3pP3/8/8/8/R3K2R w KQ - 0 1"));
  EXPECT_NE(base, KeyOf("4k3/8/8/3pP3/8/8/8/R3K2R w K d6 0 1"));
  EXPECT_NE(base, KeyOf("4k3/8/8/3pP3/8/8/8/R3K2R w - d6 0 1"));
  EXPECT_NE(base, KeyOf("4k3/8/8/3pP3/8/8/8/N3K2R w K d6 0 1"));
  EXPECT_NE(KeyOf("4k3/8/8/3pP3/8/8/8/R3K2R w KQ - 0 1"), KeyOf("4k3/8/8/3pP3/8/8/8/R3K2R b KQ - 0 1"));
}

TEST(ZobristTest, ClocksDoNotCount) {
  EXPECT_EQ(KeyOf("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"), KeyOf("4k3/8/8/8/8/8/8/R3K2R w KQ - 77 99"));
}

TEST(ZobristTest, ChessAndChess960AgreeOnTheSamePosition) {
  EXPECT_EQ(KeyOf(kStartFen), KeyOf(kStartFen, Variant::kChess960));
}

TEST(ZobristTest, DoesNotDependOnTheWay) {
  Position one, two;
  PlayUci(one, "e2e4 e7e5 g1f3 b8c6");
  PlayUci(two, "g1f3 b8c6 e2e4 e7e5");
  EXPECT_EQ(one.key(), two.key());
  EXPECT_EQ(one.pawn_key(), two.pawn_key());
}

TEST(ZobristTest, PawnKeyIsThePawnsAlone) {
  EXPECT_EQ(MustParse("4k3/8/8/8/8/8/8/4K3 w - - 0 1").pawn_key(), 0u);
  EXPECT_EQ(MustParse("4k3/p7/8/8/8/8/7P/4K3 w - - 0 1").pawn_key(),
            MustParse("q3k3/p7/8/8/8/8/7P/R3K3 b Q - 0 1").pawn_key());
  EXPECT_NE(MustParse("4k3/p7/8/8/8/8/7P/4K3 w - - 0 1").pawn_key(),
            MustParse("4k3/7p/8/8/8/8/7P/4K3 w - - 0 1").pawn_key());
}

// Two positions that differ in anything but the clocks have two keys, over all that two plies of the suite can reach.
TEST(ZobristTest, DifferentPositionsHaveDifferentKeys) {
  std::map<Key, std::string> seen;
  for (const SuitePosition& each : PerftSuite()) {
    if (each.variant != Variant::kStandard) continue;
    Position position = each.Parse();
    ForEachNode(position, each.DepthWithin(2, 2000), [&](const Position& node, int) {
      std::string fen = ToFen(node);
      fen.resize(fen.find(' ', fen.find(' ', fen.find(' ', fen.find(' ') + 1) + 1) + 1));
      const auto [at, is_new] = seen.emplace(node.key(), fen);
      ASSERT_EQ(at->second, fen);
    });
  }
  EXPECT_GT(seen.size(), 30'000u);
}

}  // namespace
}  // namespace kibitz
