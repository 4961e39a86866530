#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/board/fen.h"
#include "engine/board/uci_move.h"
#include "engine/engine.h"
#include "engine/search/score.h"
#include "tests/support/positions.h"
#include "tests/support/syzygy.h"

namespace kibitz {
namespace {

// What is reported for a win that tables promise and the search does not see to its end.
constexpr int kSureWin = kTablebaseThreshold;

class TablebaseSearchTest : public testing::Test {
 protected:
  void SetUp() override {
    KIBITZ_SKIP_WITHOUT_SYZYGY();
    ASSERT_TRUE(engine_.SetSyzygyPath(*FindSyzygyTables()).ok());
  }

  AnalysisResult AnalyzeNodes(const std::string& fen, std::int64_t nodes, int multi_pv = 1) {
    AnalysisRequest request;
    request.position = MustParse(fen);
    request.limits.nodes = nodes;
    request.multi_pv = multi_pv;
    return Analyze(engine_, request);
  }

  // Whether the analysis shows a win for the side to move, by mate or by the tables.
  static bool IsWin(const AnalysisLine& line) {
    return line.score.kind == Score::Kind::kMate ? line.score.amount > 0 : line.score.amount >= kSureWin;
  }

  // Plays both sides until the game ends, and tells how.
  GameStatus Play(const std::string& fen, std::int64_t nodes) {
    AnalysisRequest request;
    request.position = MustParse(fen);
    request.limits.nodes = nodes;
    GameStatus status = request.position.Status();
    for (int ply = 0; ply < 200 && status == GameStatus::kOngoing; ++ply) {
      const AnalysisResult result = Analyze(engine_, request);
      request.position.MakeMove(result.analysis.lines.front().pv.front());
      status = request.position.Status();
    }
    return status;
  }

  Engine engine_{16};
};

TEST_F(TablebaseSearchTest, MatesWithBishopAndKnight) {
  EXPECT_EQ(Play("8/8/8/3k4/8/8/8/KBN5 w - - 0 1", 3000), GameStatus::kCheckmate);
}

TEST_F(TablebaseSearchTest, WinsQueenAgainstRook) {
  EXPECT_EQ(Play("8/8/8/3kr3/8/8/8/KQ6 w - - 0 1", 3000), GameStatus::kCheckmate);
}

TEST_F(TablebaseSearchTest, WinsInTimeWithTheClockRunning) {
  // Ten moves are left, and a queen may need as many.
  EXPECT_EQ(Play("8/8/8/3k4/8/8/1Q6/K7 w - - 80 100", 300), GameStatus::kCheckmate);
}

TEST_F(TablebaseSearchTest, KnowsAWinFromTheFirstNode) {
  const AnalysisResult result = AnalyzeNodes("8/8/8/3k4/8/8/8/KBN5 w - - 0 1", 500);
  EXPECT_TRUE(IsWin(result.analysis.lines.front()));
  EXPECT_GT(result.analysis.tb_hits, 0);
  EXPECT_EQ(result.analysis.lines.front().wdl.win, 1000);
}

TEST_F(TablebaseSearchTest, NeverCountsFewerHitsThanBefore) {
  AnalysisRequest request;
  request.position = MustParse("8/8/8/3k4/8/8/8/KBN5 w - - 0 1");
  Search search(engine_, request);
  SearchMemory memory;
  SearchHost host;
  std::vector<std::int64_t> hits;
  search.Run(memory, host, [&](const Analysis& update) {
    hits.push_back(update.tb_hits);
    if (!update.current_move.IsNone()) search.Stop();
  });
  ASSERT_FALSE(hits.empty());
  EXPECT_GT(hits.front(), 0);
  EXPECT_TRUE(std::is_sorted(hits.begin(), hits.end()));
}

TEST_F(TablebaseSearchTest, KnowsThatItIsLost) {
  const AnalysisResult result = AnalyzeNodes("8/8/8/3k4/8/8/8/KBN5 b - - 0 1", 500);
  for (const AnalysisLine& line : result.analysis.lines) EXPECT_LE(line.score.amount, -kSureWin);
}

TEST_F(TablebaseSearchTest, KnowsADrawThatLooksWon) {
  // The wrong bishop for the rook's pawn.
  const AnalysisResult result = AnalyzeNodes("k7/8/1K6/P7/8/8/8/2B5 w - - 0 1", 5000);
  EXPECT_EQ(result.analysis.lines.front().score.amount, 0);
}

TEST_F(TablebaseSearchTest, SeesTheFiftyMoveRule) {
  const AnalysisResult result = AnalyzeNodes("8/8/8/8/8/2k5/8/KBN5 w - - 90 100", 5000);
  EXPECT_EQ(result.analysis.lines.front().score.kind, Score::Kind::kCentipawns);
  EXPECT_LE(std::abs(result.analysis.lines.front().score.amount), 1);
}

TEST_F(TablebaseSearchTest, SortsLinesByTheirResults) {
  // Some moves hold the rook and win, others lose it.
  const AnalysisResult result = AnalyzeNodes("8/8/8/8/8/3k4/3r4/K6R w - - 0 1", 20'000, /*multi_pv=*/50);
  int last = 3;
  for (const AnalysisLine& line : result.analysis.lines) {
    const int outcome = IsWin(line) ? 2 : std::abs(line.score.amount) <= 1 ? 1 : 0;
    EXPECT_LE(outcome, last);
    last = outcome;
  }
  EXPECT_EQ(last, 0);
}

TEST_F(TablebaseSearchTest, AsksBelowTheRoot) {
  // Five pieces: too many for the tables until the pawn is taken.
  const AnalysisResult result = AnalyzeNodes("8/8/8/3k4/3p4/8/1B6/K1N5 w - - 0 1", 50'000);
  EXPECT_GT(result.analysis.tb_hits, 0);
}

TEST_F(TablebaseSearchTest, FindsAMateThatEndsInTheTables) {
  // Taking on d7 is in the tables and mates on the next move: the distance is not lost for the promise of a win.
  const AnalysisResult result = AnalyzeNodes("k7/3r4/1K6/7p/8/8/8/3R4 w - - 0 1", 100'000);
  EXPECT_EQ(result.analysis.lines.front().score.kind, Score::Kind::kMate);
  EXPECT_EQ(result.analysis.lines.front().score.amount, 2);
}

TEST_F(TablebaseSearchTest, IsNotAskedByReproducibleRequests) {
  AnalysisRequest request;
  request.position = MustParse("8/8/8/3k4/8/8/8/KBN5 w - - 0 1");
  request.limits.nodes = 5000;
  request.reproducible = true;
  EXPECT_EQ(Analyze(engine_, request).analysis.tb_hits, 0);
}

TEST_F(TablebaseSearchTest, CountsTheHitsOfHelpers) {
  AnalysisRequest request;
  request.position = MustParse("8/8/8/3k4/3p4/8/1B6/K1N5 w - - 0 1");
  request.limits.nodes = 100'000;
  EXPECT_GT(Analyze(engine_, request, /*threads=*/2).analysis.tb_hits, 0);
}

TEST_F(TablebaseSearchTest, GoesOnWithoutAfterAnEmptyPath) {
  ASSERT_TRUE(engine_.SetSyzygyPath("").ok());
  EXPECT_EQ(engine_.tablebase_max_pieces(), 0);
  EXPECT_EQ(AnalyzeNodes("8/8/8/3k4/8/8/8/KBN5 w - - 0 1", 5000).analysis.tb_hits, 0);
}

TEST(EngineTablebasesTest, NamesABadPath) {
  Engine engine(1);
  EXPECT_THAT(std::string(engine.SetSyzygyPath("/nonexistent/tables").message()),
              testing::HasSubstr("/nonexistent/tables"));
  EXPECT_EQ(engine.tablebase_max_pieces(), 0);
}

}  // namespace
}  // namespace kibitz
