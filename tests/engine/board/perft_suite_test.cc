// Counts every position of the suite as deep as the suite goes. The counts are Stockfish's.

#include "tests/support/perft_suite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

#include "absl/status/statusor.h"
#include "engine/board/fen.h"
#include "engine/board/perft.h"
#include "engine/board/position.h"
#include "tests/support/positions.h"

namespace kibitz {
namespace {

TEST(PerftSuiteDataTest, IsLargeAndMixed) {
  std::map<Variant, int> of_variant;
  std::map<Color, int> to_move;
  std::set<std::string> names, fens;
  for (const SuitePosition& each : PerftSuite()) {
    ++of_variant[each.variant];
    ++to_move[each.Parse().side_to_move()];
    names.insert(each.name);
    fens.insert(each.fen);
  }
  EXPECT_GE(of_variant[Variant::kStandard], 150);
  EXPECT_GE(of_variant[Variant::kChess960], 40);
  EXPECT_GE(to_move[Color::kWhite], 80);
  EXPECT_GE(to_move[Color::kBlack], 80);
  EXPECT_EQ(names.size(), PerftSuite().size());
  EXPECT_GE(fens.size() + 2, PerftSuite().size()) << "positions are repeated";
}

class PerftSuiteTest : public testing::TestWithParam<SuitePosition> {};

TEST_P(PerftSuiteTest, CountsLikeStockfish) {
  const Position position = GetParam().Parse();
  for (int depth = 1; depth <= static_cast<int>(GetParam().counts.size()); ++depth) {
    const absl::StatusOr<std::uint64_t> nodes = Perft(position, depth);
    ASSERT_TRUE(nodes.ok()) << nodes.status();
    ASSERT_EQ(*nodes, GetParam().counts[depth - 1]) << "depth " << depth;
  }
}

TEST_P(PerftSuiteTest, CountsTheSameWithColorsExchanged) {
  const Position position = WithColorsExchanged(GetParam().Parse());
  const int depth = GetParam().DepthWithin(/*most=*/8, /*leaves=*/300'000);
  const absl::StatusOr<std::uint64_t> nodes = Perft(position, depth);
  ASSERT_TRUE(nodes.ok()) << nodes.status();
  EXPECT_EQ(*nodes, GetParam().counts[depth - 1]) << ToFen(position) << " depth " << depth;
}

// A table far too small for the count, so that entries are replaced all the time.
TEST_P(PerftSuiteTest, CountsTheSameInParallelWithHash) {
  const PerftOptions options{.threads = 3, .hash_mb = 1};
  const int depth = GetParam().DepthWithin(/*most=*/8, /*leaves=*/2'000'000);
  const absl::StatusOr<std::uint64_t> nodes = Perft(GetParam().Parse(), depth, options);
  ASSERT_TRUE(nodes.ok()) << nodes.status();
  EXPECT_EQ(*nodes, GetParam().counts[depth - 1]) << "depth " << depth;
}

INSTANTIATE_TEST_SUITE_P(Suite, PerftSuiteTest, EverySuitePosition(), SuiteName);

}  // namespace
}  // namespace kibitz
