#include "engine/search/see.h"

#include <gtest/gtest.h>

#include "tests/support/positions.h"

namespace kibitz {
namespace {

struct Exchange {
  const char* what;
  const char* fen;
  const char* move;
  int value;  // pawns 100, knights 325, bishops 335, rooks 500, queens 975
};

class SeeTest : public testing::TestWithParam<Exchange> {};

TEST_P(SeeTest, IsExact) {
  const Exchange& exchange = GetParam();
  const Position position = MustParse(exchange.fen);
  const Move move = MustParseUci(position, exchange.move);
  EXPECT_TRUE(SeeAtLeast(position, move, exchange.value)) << exchange.what;
  EXPECT_FALSE(SeeAtLeast(position, move, exchange.value + 1)) << exchange.what;
}

INSTANTIATE_TEST_SUITE_P(
    Exchanges, SeeTest,
    testing::Values(Exchange{"a pawn for nothing", "4k3/8/8/4p3/8/8/8/4R1K1 w - - 0 1", "e1e5", 100},
                    Exchange{"a rook for a guarded pawn", "4k3/8/3p4/4p3/8/8/8/4R1K1 w - - 0 1", "e1e5", -400},
                    Exchange{"a knight for a pawn, with a pawn back", "4k3/8/3p4/4p3/8/5N2/8/4R1K1 w - - 0 1", "f3e5",
                             -125},
                    Exchange{"a battery behind", "4k3/4r3/8/4p3/8/8/4R3/4R1K1 w - - 0 1", "e2e5", 100},
                    Exchange{"no battery behind", "4k3/4r3/8/4p3/8/8/4R3/6K1 w - - 0 1", "e2e5", -400},
                    Exchange{"a king that may not recapture", "8/4k3/4p3/8/8/1B6/4R3/6K1 w - - 0 1", "b3e6", 100},
                    Exchange{"a king that recaptures", "8/4k3/4p3/8/8/1B6/8/6K1 w - - 0 1", "b3e6", -235},
                    Exchange{"a quiet move into a guard", "3k4/8/3p4/8/8/8/8/4R1K1 w - - 0 1", "e1e5", -500},
                    Exchange{"a quiet safe move", "4k3/8/3p4/8/8/8/8/3R2K1 w - - 0 1", "d1d4", 0}));

}  // namespace
}  // namespace kibitz
