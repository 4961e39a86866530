#include "engine/board/perft.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/board/movegen.h"
#include "engine/board/position.h"
#include "engine/board/uci_move.h"
#include "tests/support/positions.h"

namespace kibitz {
namespace {

using Divide = std::map<std::string, std::uint64_t>;

constexpr char kKiwipete[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

// Collects the calls for the root moves. A move that is reported twice fails the test.
PerftOptions Collecting(Divide& divide, PerftOptions options = {}) {
  options.on_root_move = [&divide](Move move, std::uint64_t nodes) {
    EXPECT_TRUE(divide.emplace(ToUci(move, Variant::kStandard), nodes).second) << ToUci(move, Variant::kStandard);
  };
  return options;
}

TEST(PerftTest, CountsThePositionItselfAtDepthZero) {
  Divide divide;
  EXPECT_EQ(*Perft(Position(), 0, Collecting(divide)), 1u);
  EXPECT_TRUE(divide.empty());
}

TEST(PerftTest, CountsTheStartPosition) { EXPECT_EQ(*Perft(Position(), 5), 4'865'609u); }

TEST(PerftTest, CountsNothingBelowMate) {
  const Position mate = MustParse("3R2k1/5ppp/8/8/8/8/8/7K b - - 0 1");
  EXPECT_EQ(*Perft(mate, 0), 1u);
  EXPECT_EQ(*Perft(mate, 1), 0u);
  EXPECT_EQ(*Perft(mate, kMaxPerftDepth), 0u);
}

TEST(PerftTest, RefusesDepthsOutOfRange) {
  for (int depth : {-1'000'000, -1, kMaxPerftDepth + 1, 1000}) {
    const absl::Status status = Perft(Position(), depth).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange) << depth;
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr("depth")) << depth;
  }
}

TEST(PerftTest, ReportsEveryRootMoveOnce) {
  const Position position = MustParse(kKiwipete);
  for (int depth : {1, 2, 3, 4}) {
    Divide alone, together;
    const std::uint64_t nodes = *Perft(position, depth, Collecting(alone));
    EXPECT_EQ(*Perft(position, depth, Collecting(together, {.threads = 4, .hash_mb = 2})), nodes);
    EXPECT_EQ(alone, together) << depth;
    EXPECT_EQ(alone.size(), 48u);
    std::uint64_t sum = 0;
    for (const auto& [move, count] : alone) sum += count;
    EXPECT_EQ(sum, nodes) << depth;
  }
}

TEST(PerftTest, ReportsTheCountBelowTheMove) {
  Divide divide;
  ASSERT_TRUE(Perft(MustParse(kKiwipete), 3, Collecting(divide)).ok());
  for (const auto& [text, count] : divide) {
    Position after = MustParse(kKiwipete);
    after.MakeMove(MustParseUci(after, text));
    EXPECT_EQ(*Perft(after, 2), count) << text;
  }
}

TEST(PerftTest, ReportsMovesThatEndTheGame) {
  Divide divide;
  EXPECT_EQ(*Perft(MustParse("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1"), 4, Collecting(divide)), 3130u);
  EXPECT_EQ(divide.at("g5g6"), 0u) << "stalemate";
}

TEST(PerftTest, CallsBackOneAtATime) {
  std::atomic<int> inside = 0;
  PerftOptions options{.threads = 4};
  options.on_root_move = [&](Move, std::uint64_t) {
    EXPECT_EQ(inside.fetch_add(1), 0);
    std::this_thread::yield();
    inside.fetch_sub(1);
  };
  EXPECT_EQ(*Perft(MustParse(kKiwipete), 4, options), 4'085'603u);
}

TEST(PerftTest, TakesAnyNumberOfThreads) {
  for (int threads : {0, 1, 2, 7, 64}) {
    EXPECT_EQ(*Perft(Position(), 4, {.threads = threads}), 197'281u) << threads;
  }
}

TEST(PerftTest, StopsBeforeItStarts) {
  const std::atomic<bool> stop = true;
  Divide divide;
  const absl::Status status = Perft(Position(), 9, Collecting(divide, {.threads = 2, .stop = &stop})).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled) << status;
  EXPECT_TRUE(divide.empty());
}

TEST(PerftTest, StopsOnTheWay) {
  for (int threads : {1, 3}) {
    std::atomic<bool> stop = false;
    PerftOptions options{.threads = threads, .stop = &stop};
    options.on_root_move = [&](Move, std::uint64_t) { stop = true; };
    const absl::Status status = Perft(MustParse(kKiwipete), 5, options).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kCancelled) << status;
    EXPECT_TRUE(stop) << "nothing was reported before the stop";
  }
}

// Nobody lives to see the end of this count but by the stop, whether it comes before or after the start.
TEST(PerftTest, StopsFromAnotherThread) {
  std::atomic<bool> stop = false;
  std::thread stopper([&] { stop = true; });
  const absl::Status status = Perft(Position(), kMaxPerftDepth, {.threads = 2, .hash_mb = 1, .stop = &stop}).status();
  stopper.join();
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled) << status;
}

// Few pieces and so few positions that the hash soon knows them all, but more than 2^64 paths.
TEST(PerftTest, RefusesTotalsBeyond64Bits) {
  const Position position = MustParse("8/8/8/4k3/8/8/8/R3K3 w - - 0 1");
  const absl::Status status = Perft(position, kMaxPerftDepth, {.hash_mb = 256}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange) << status;
}

}  // namespace
}  // namespace kibitz
