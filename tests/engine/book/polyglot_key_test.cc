#include "engine/book/polyglot_key.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/board/fen.h"
#include "engine/board/types.h"
#include "tests/support/positions.h"

namespace kibitz {
namespace {

// The examples that the description of the format gives: moves from the starting position, and the key.
struct Example {
  const char* name;
  const char* moves;
  Key key;
};
class PolyglotKeyExampleTest : public testing::TestWithParam<Example> {};

TEST_P(PolyglotKeyExampleTest, HasThePublishedKey) {
  Position position;
  PlayUci(position, GetParam().moves);
  EXPECT_EQ(PolyglotKey(position), GetParam().key);
  EXPECT_EQ(PolyglotKeys(position).front(), GetParam().key);
}

INSTANTIATE_TEST_SUITE_P(
    Published, PolyglotKeyExampleTest,
    testing::Values(Example{"Start", "", 0x463b96181691fc9c}, Example{"DoubleStep", "e2e4", 0x823c9b50fd114196},
                    Example{"Black", "e2e4 d7d5", 0x0756b94461c50fb0},
                    Example{"NoEnPassant", "e2e4 d7d5 e4e5", 0x662fafb965db29d4},
                    Example{"EnPassant", "e2e4 d7d5 e4e5 f7f5", 0x22a48b5a8e47ff78},
                    Example{"WhiteRightsLost", "e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a607ca3f242c1},
                    Example{"AllRightsLost", "e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fdd303c946bdd9},
                    Example{"BlackEnPassant", "a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c8123ea7b067637},
                    Example{"OneRightLost", "a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f9b829b279560}),
    [](const testing::TestParamInfo<Example>& info) { return std::string(info.param.name); });

TEST(PolyglotKeyTest, OffersTheKeyOfAForbiddenEnPassantToo) {
  // The pawn on e5 is pinned by the rook, so d7d5 allows no capture; a book counts the step all the same.
  Position position = MustParse("4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1");
  PlayUci(position, "d7d5");
  const std::vector<Key> keys = PolyglotKeys(position);
  ASSERT_EQ(keys.size(), 2u);
  EXPECT_EQ(keys.front(), PolyglotKey(position));
  // The same pieces with a capture that is legal have the key that the format asks for, but for the rook's square.
  Position free = MustParse("r5k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1");
  PlayUci(free, "d7d5");
  const Position free_without_step = MustParse("r5k1/8/8/3pP3/8/8/8/4K3 w - - 0 2");
  EXPECT_EQ(keys[0] ^ keys[1], PolyglotKey(free) ^ PolyglotKey(free_without_step));
}

TEST(PolyglotKeyTest, OffersOneKeyWhereACaptureWouldBeLegal) {
  // Had d7d5 just been played, e5d6 would be legal: then the two would be different positions.
  EXPECT_EQ(PolyglotKeys(MustParse("6k1/8/8/3pP3/8/8/8/4K3 w - - 0 2")).size(), 1u);
}

TEST(PolyglotKeyTest, KnowsRightsOfChess960BySide) {
  const Position position = MustParse("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", Variant::kChess960);
  const Position bare = MustParse("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w - - 0 1");
  const Position standard = MustParse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
  const Position standard_bare = MustParse("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1");
  EXPECT_EQ(PolyglotKey(position) ^ PolyglotKey(bare), PolyglotKey(standard) ^ PolyglotKey(standard_bare));
}

}  // namespace
}  // namespace kibitz
