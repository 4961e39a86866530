#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/board/fen.h"
#include "engine/board/uci_move.h"
#include "engine/engine.h"
#include "tests/support/positions.h"

namespace kibitz {
namespace {

AnalysisRequest RequestFor(const std::string& fen, std::int64_t nodes) {
  AnalysisRequest request;
  request.position = MustParse(fen);
  request.limits.nodes = nodes;
  return request;
}

AnalysisResult AnalyzeFresh(const AnalysisRequest& request) {
  Engine engine(16);
  return Analyze(engine, request);
}

struct Mate {
  const char* name;
  const char* fen;
  int moves;
};
class MateTest : public testing::TestWithParam<Mate> {};

TEST_P(MateTest, IsFoundWithTheRightDistance) {
  AnalysisRequest request = RequestFor(GetParam().fen, 3'000'000);
  request.limits.mate = GetParam().moves;
  const AnalysisResult result = AnalyzeFresh(request);
  const Score& score = result.analysis.lines.front().score;
  EXPECT_EQ(result.stop_reason, StopReason::kMate);
  EXPECT_EQ(score.kind, Score::Kind::kMate);
  EXPECT_EQ(score.amount, GetParam().moves);
}

INSTANTIATE_TEST_SUITE_P(Mates, MateTest,
                         testing::Values(Mate{"BackRank", "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1},
                                         Mate{"Smothered", "6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1", 1},
                                         Mate{"TwoRooks", "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2},
                                         Mate{"QueenAndKing", "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", 1},
                                         Mate{"RookAndKing", "7k/8/5K2/8/8/8/8/R7 w - - 0 1", 2},
                                         Mate{"Promotion", "k7/2K4P/8/8/8/8/8/8 w - - 0 1", 2},
                                         Mate{"RookSacrifice", "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3},
                                         Mate{"QueenAndKnight", "8/8/1N1K4/8/8/8/1k6/5Q2 w - - 0 1", 4},
                                         Mate{"QueenAndBishop", "7K/8/8/1B2Q3/8/5k2/8/8 w - - 0 1", 5},
                                         Mate{"BlackToMove", "k2r4/8/8/8/8/8/5PPP/6K1 b - - 0 1", 1}),
                         [](const testing::TestParamInfo<Mate>& info) { return std::string(info.param.name); });

TEST(SearchTest, SeesTheFiftyMoveRuleComing) {
  // Won on an empty clock, but it has run down: nothing mates within one move.
  const AnalysisResult result = AnalyzeFresh(RequestFor("7k/8/8/3K4/8/8/8/R7 w - - 99 80", 50'000));
  EXPECT_EQ(result.analysis.lines.front().score.kind, Score::Kind::kCentipawns);
  EXPECT_LE(std::abs(result.analysis.lines.front().score.amount), 2);
}

TEST(SearchTest, TakesTheRepetitionWhenItIsWorse) {
  // Black gives perpetual check with the queen or is mated.
  const AnalysisResult result = AnalyzeFresh(RequestFor("6k1/5ppp/8/8/8/7q/5P1P/1Q3R1K b - - 0 1", 200'000));
  EXPECT_LE(std::abs(result.analysis.lines.front().score.amount), 400);
}

TEST(SearchTest, AvoidsStalemateWhenWinning) {
  const AnalysisResult result = AnalyzeFresh(RequestFor("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", 20'000));
  EXPECT_EQ(result.analysis.lines.front().score.kind, Score::Kind::kMate);
}

TEST(SearchTest, IsTheSameWithColorsExchanged) {
  for (const char* fen : {"r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
                          "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"}) {
    const Position position = MustParse(fen);
    AnalysisRequest request = RequestFor(fen, 30'000);
    const AnalysisResult one = AnalyzeFresh(request);
    request.position = WithColorsExchanged(position);
    const AnalysisResult other = AnalyzeFresh(request);
    EXPECT_NEAR(one.analysis.lines.front().score.amount, other.analysis.lines.front().score.amount, 60) << fen;
  }
}

TEST(SearchTest, AnswersAReproducibleRequestAlike) {
  AnalysisRequest request = RequestFor("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 60'000);
  request.reproducible = true;
  request.multi_pv = 3;
  Engine fresh(1);
  Engine used(8);
  Analyze(used, RequestFor(kStartFen, 50'000));
  const AnalysisResult one = Analyze(fresh, request);
  const AnalysisResult other = Analyze(used, request);
  EXPECT_EQ(one.analysis.nodes, other.analysis.nodes);
  ASSERT_EQ(one.analysis.lines.size(), other.analysis.lines.size());
  for (std::size_t i = 0; i < one.analysis.lines.size(); ++i) {
    EXPECT_EQ(one.analysis.lines[i].pv, other.analysis.lines[i].pv);
    EXPECT_EQ(one.analysis.lines[i].score.amount, other.analysis.lines[i].score.amount);
  }
}

TEST(SearchTest, GoesOnWhereItsHostHeldItUp) {
  // A host that holds the search up at every checkpoint changes nothing of what it finds.
  class SlowHost final : public SearchHost {
   public:
    void Checkpoint() override { ++calls; }
    int calls = 0;
  };
  AnalysisRequest request = RequestFor(kStartFen, 50'000);
  request.reproducible = true;
  Engine engine(1);
  Search search(engine, request);
  SearchMemory memory;
  SlowHost host;
  const AnalysisResult result = search.Run(memory, host, [](const Analysis&) {});
  EXPECT_GE(host.calls, 45);
  EXPECT_EQ(result.analysis.nodes, 50'000);
}

TEST(SearchTest, HelpersSearchAlong) {
  Engine engine(16);
  AnalysisRequest request = RequestFor(kStartFen, 400'000);
  const AnalysisResult result = Analyze(engine, request, /*threads=*/2);
  EXPECT_EQ(result.stop_reason, StopReason::kNodes);
  EXPECT_GE(result.analysis.nodes, 400'000);
  EXPECT_TRUE(request.position.IsLegal(result.analysis.lines.front().pv.front()));
}

TEST(SearchTest, PonderingWaitsForTheMove) {
  Engine engine(1);
  AnalysisRequest request;
  request.limits.movetime = std::chrono::milliseconds(1);
  request.limits.nodes = 20'000;
  request.limits.ponder = true;
  // The time does not count while pondering: the nodes end it.
  EXPECT_EQ(Analyze(engine, request).stop_reason, StopReason::kNodes);
}

}  // namespace
}  // namespace kibitz
