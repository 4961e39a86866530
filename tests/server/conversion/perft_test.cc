#include "server/conversion/perft.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "engine/board/fen.h"
#include "engine/board/perft.h"
#include "tests/server/conversion/expect_fault.h"
#include "tests/support/requests.h"

namespace kibitz::server {
namespace {

RequestCaps Caps() { return {.max_threads = 4, .max_perft_hash_mb = 256}; }

TEST(ParsePerftTest, TakesWhatIsWithinTheBounds) {
  const absl::StatusOr<PerftSpec> spec = ParsePerft(PerftOf(kMaxPerftDepth, 4, 256), Caps());
  ASSERT_TRUE(spec.ok());
  EXPECT_EQ(spec->depth, kMaxPerftDepth);
  EXPECT_EQ(spec->threads, 4);
  EXPECT_EQ(spec->hash_mb, 256);
  EXPECT_TRUE(ParsePerft(PerftOf(1, 0, 0), Caps()).ok());
}

TEST(ParsePerftTest, RefusesWhatIsBeyondThem) {
  for (const int depth : {0, -1, kMaxPerftDepth + 1, 1000}) {
    ExpectFault(ParsePerft(PerftOf(depth, 1, 0), Caps()).status(), "depth", "OUT_OF_RANGE", std::to_string(depth));
  }
  for (const int threads : {-1, 5}) {
    ExpectFault(ParsePerft(PerftOf(3, threads, 0), Caps()).status(), "threads", "OUT_OF_RANGE", "0 and 4");
  }
  for (const int hash_mb : {-1, 257}) {
    ExpectFault(ParsePerft(PerftOf(3, 1, hash_mb), Caps()).status(), "hash_mb", "OUT_OF_RANGE", "0 and 256");
  }
}

TEST(ParsePerftTest, RefusesABadPosition) {
  v1::PerftRequest wire = PerftOf(3, 1, 0);
  wire.mutable_position()->set_fen("nonsense");
  EXPECT_TRUE(absl::IsInvalidArgument(ParsePerft(wire, Caps()).status()));
}

TEST(PerftToWireTest, WritesDividesAndTotals) {
  const v1::PerftResponse divide = DivideToWire(Position(), Move(Square::kG1, Square::kF3), 400);
  EXPECT_EQ(divide.divide().uci(), "g1f3");
  EXPECT_EQ(divide.divide().san(), "Nf3");
  EXPECT_EQ(divide.divide().nodes(), 400u);
  const v1::PerftResponse total = TotalToWire(3000, std::chrono::milliseconds(1500));
  EXPECT_EQ(total.total().nodes(), 3000u);
  EXPECT_EQ(total.total().elapsed().seconds(), 1);
  EXPECT_EQ(total.total().elapsed().nanos(), 500'000'000);
  EXPECT_EQ(total.total().nps(), 2000u);
  EXPECT_EQ(TotalToWire(3000, std::chrono::nanoseconds(0)).total().nps(), 0u);
}

}  // namespace
}  // namespace kibitz::server
