#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/board/uci_move.h"
#include "engine/engine.h"
#include "tests/support/positions.h"

namespace kibitz {
namespace {

AnalysisRequest RequestFor(const Position& position, int elo) {
  AnalysisRequest request;
  request.position = position;
  request.strength_elo = elo;
  return request;
}

Move Choose(Engine& engine, const Position& position, int elo) {
  return Analyze(engine, RequestFor(position, elo)).analysis.lines.front().pv.front();
}

// Half points of the first player in a game of ratings, White first, from an opening: 2 a win, 1 a draw.
int Play(Engine& engine, Position position, int white_elo, int black_elo) {
  for (int ply = 0; ply < 200 && position.Status() == GameStatus::kOngoing; ++ply) {
    position.MakeMove(Choose(engine, position, position.side_to_move() == Color::kWhite ? white_elo : black_elo));
  }
  if (position.Status() != GameStatus::kCheckmate) return 1;
  return position.side_to_move() == Color::kBlack ? 2 : 0;
}

constexpr const char* kOpenings[] = {"e2e4 e7e5 g1f3 b8c6 f1b5 a7a6", "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6",
                                     "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4", "d2d4 g8f6 c2c4 g7g6 b1c3 f8g7",
                                     "e2e4 e7e6 d2d4 d7d5 b1c3 g8f6", "c2c4 e7e5 b1c3 g8f6 g1f3 b8c6"};

class LadderTest : public testing::TestWithParam<std::pair<int, int>> {};

// Deterministic: the nodes are counted, and the misjudgements come from the positions.
TEST_P(LadderTest, TheHigherRatingWinsTheMatch) {
  const auto [higher, lower] = GetParam();
  Engine engine(1);
  int half_points = 0;
  int games = 0;
  for (const char* opening : kOpenings) {
    Position position;
    PlayUci(position, opening);
    half_points += Play(engine, position, higher, lower);
    half_points += 2 - Play(engine, position, lower, higher);
    games += 2;
  }
  EXPECT_GE(half_points, games * 2 * 60 / 100) << half_points << " of " << games * 2 << " half points";
}

INSTANTIATE_TEST_SUITE_P(Ratings, LadderTest,
                         testing::Values(std::pair(1300, 1000), std::pair(1600, 1300), std::pair(1900, 1600),
                                         std::pair(2100, 1800)),
                         [](const auto& info) {
                           return std::to_string(info.param.first) + "Beats" + std::to_string(info.param.second);
                         });

TEST(StrengthTest, LooksAtMoreWithEveryStep) {
  Engine engine(1);
  std::int64_t last = 0;
  for (int elo = kMinElo; elo <= 2600; elo += 50) {
    const AnalysisResult result = Analyze(engine, RequestFor(Position(), elo));
    EXPECT_EQ(result.stop_reason, StopReason::kNodes);
    EXPECT_GT(result.analysis.nodes, last) << elo;
    last = result.analysis.nodes;
  }
}

TEST(StrengthTest, BringsOtherRatingsInside) {
  Engine engine(1);
  EXPECT_EQ(Analyze(engine, RequestFor(Position(), 1)).analysis.nodes,
            Analyze(engine, RequestFor(Position(), kMinElo)).analysis.nodes);
  EXPECT_EQ(Analyze(engine, RequestFor(Position(), 1 << 30)).analysis.nodes,
            Analyze(engine, RequestFor(Position(), kMaxElo)).analysis.nodes);
}

TEST(StrengthTest, ErrsAtLowRatings) {
  // Somewhere in an opening the weakest plays what the strongest would not.
  Engine engine(1);
  int differing = 0;
  for (const char* opening : kOpenings) {
    Position position;
    PlayUci(position, opening);
    differing += Choose(engine, position, kMinElo) != Choose(engine, position, 2600);
  }
  EXPECT_GE(differing, 3);
}

TEST(StrengthTest, AnswersThePositionAlike) {
  const Position position = MustParse("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8");
  Engine fresh(1);
  Engine used(16);
  AnalysisRequest full = RequestFor(position, 0);
  full.limits.depth = 12;
  Analyze(used, full);
  for (int elo = kMinElo; elo <= 2400; elo += 100) {
    const AnalysisResult one = Analyze(fresh, RequestFor(position, elo));
    const AnalysisResult other = Analyze(used, RequestFor(position, elo), /*threads=*/2);
    EXPECT_EQ(one.analysis.lines.front().pv, other.analysis.lines.front().pv) << elo;
    EXPECT_EQ(one.analysis.nodes, other.analysis.nodes) << elo;
  }
}

TEST(StrengthTest, LeavesTheSharedTableAlone) {
  Engine engine(1);
  Analyze(engine, RequestFor(Position(), kMaxElo));
  EXPECT_EQ(engine.hashfull(), 0);
  AnalysisRequest full = RequestFor(Position(), 0);
  full.limits.nodes = 200'000;
  Analyze(engine, full);
  EXPECT_GT(engine.hashfull(), 0);
}

TEST(StrengthTest, KeepsToAStricterLimit) {
  Engine engine(1);
  AnalysisRequest request = RequestFor(Position(), 2000);
  request.limits.nodes = 100;
  EXPECT_EQ(Analyze(engine, request).analysis.nodes, 100);
  request.limits = {};
  request.limits.depth = 2;
  EXPECT_EQ(Analyze(engine, request).stop_reason, StopReason::kDepth);
}

TEST(StrengthTest, NeverRefusesMateInOne) {
  Engine engine(1);
  for (const auto& [fen, mate] :
       {std::pair("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "d1d8"), std::pair("6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1", "g5f7"),
        std::pair("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "h5f7"),
        std::pair("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4")}) {
    const Position position = MustParse(fen);
    for (int elo = 1400; elo <= kMaxElo; elo += 100) {
      EXPECT_EQ(Choose(engine, position, elo), MustParseUci(position, mate)) << fen << " at " << elo;
    }
  }
}

}  // namespace
}  // namespace kibitz
