#include "engine/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string>
#include <vector>

#include "engine/board/fen.h"
#include "engine/board/uci_move.h"

namespace kibitz {
namespace {

AnalysisRequest RequestFor(const std::string& fen, int depth) {
  AnalysisRequest request;
  request.position = *ParseFen(fen);
  request.limits.depth = depth;
  return request;
}

AnalysisResult AnalyzeFresh(const AnalysisRequest& request) {
  Engine engine(16);
  return Analyze(engine, request);
}

TEST(EngineTest, FindsMateInOne) {
  const AnalysisResult result = AnalyzeFresh(RequestFor("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 3));
  const AnalysisLine& line = result.analysis.lines.front();
  EXPECT_EQ(line.score.kind, Score::Kind::kMate);
  EXPECT_EQ(line.score.amount, 1);
  ASSERT_EQ(line.pv.size(), 1u);
  EXPECT_EQ(ToUci(line.pv.front(), Variant::kStandard), "d1d8");
}

TEST(EngineTest, SeesThatItIsBeingMated) {
  // The queen mates on f7 or g7, wherever the king goes.
  const AnalysisResult result = AnalyzeFresh(RequestFor("6k1/8/5KQ1/8/8/8/8/8 b - - 0 1", 8));
  EXPECT_EQ(result.analysis.lines.front().score.kind, Score::Kind::kMate);
  EXPECT_EQ(result.analysis.lines.front().score.amount, -1);
}

TEST(EngineTest, TakesStalemateForADraw) {
  AnalysisRequest request = RequestFor("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", 3);
  request.search_moves = {*ParseUciMove(request.position, "f1f7")};
  const AnalysisResult result = AnalyzeFresh(request);
  EXPECT_EQ(result.analysis.lines.front().score.kind, Score::Kind::kCentipawns);
  EXPECT_EQ(result.analysis.lines.front().score.amount, 0);
}

TEST(EngineTest, EndsAtOnceWhenTheGameIsOver) {
  const AnalysisResult result = AnalyzeFresh(RequestFor("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 5));
  EXPECT_EQ(result.stop_reason, StopReason::kNoLegalMoves);
  EXPECT_TRUE(result.analysis.lines.empty());
}

TEST(EngineTest, GivesDistinctLinesBestFirst) {
  AnalysisRequest request = RequestFor(kStartFen, 3);
  request.multi_pv = 4;
  const AnalysisResult result = AnalyzeFresh(request);
  ASSERT_EQ(result.analysis.lines.size(), 4u);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_LE(result.analysis.lines[i].score.amount, result.analysis.lines[i - 1].score.amount);
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NE(result.analysis.lines[i].pv.front(), result.analysis.lines[j].pv.front());
    }
  }
}

TEST(EngineTest, ObeysSearchMoves) {
  AnalysisRequest request = RequestFor("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 3);
  request.search_moves = {*ParseUciMove(request.position, "a1b1")};
  EXPECT_EQ(AnalyzeFresh(request).analysis.lines.front().pv.front(), request.search_moves.front());
}

TEST(EngineTest, EveryLineIsLegalToItsEnd) {
  AnalysisRequest request = RequestFor("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4);
  request.multi_pv = 5;
  for (const AnalysisLine& line : AnalyzeFresh(request).analysis.lines) {
    Position position = request.position;
    for (Move move : line.pv) {
      ASSERT_TRUE(position.IsLegal(move)) << ToUci(move, Variant::kStandard);
      position.MakeMove(move);
    }
  }
}

TEST(EngineTest, StopsAtTheNodeLimit) {
  AnalysisRequest request = RequestFor(kStartFen, 50);
  request.limits.nodes = 20'000;
  const AnalysisResult result = AnalyzeFresh(request);
  EXPECT_EQ(result.stop_reason, StopReason::kNodes);
  EXPECT_EQ(result.analysis.nodes, 20'000);
}

TEST(EngineTest, HasAMoveEvenWhenStoppedBeforeItBegan) {
  Engine engine(16);
  Search search(engine, RequestFor(kStartFen, 50));
  search.Stop();
  SearchMemory memory;
  SearchHost host;
  const AnalysisResult result = search.Run(memory, host, [](const Analysis&) {});
  EXPECT_EQ(result.stop_reason, StopReason::kStopped);
  EXPECT_FALSE(result.analysis.lines.empty());
}

// The updates of a search, up to the first that `is_enough`.
std::vector<Analysis> UpdatesUntil(const AnalysisRequest& request, bool (*is_enough)(const Analysis&)) {
  Engine engine(16);
  Search search(engine, request);
  SearchMemory memory;
  SearchHost host;
  std::vector<Analysis> updates;
  search.Run(memory, host, [&](const Analysis& update) {
    updates.push_back(update);
    if (is_enough(update)) search.Stop();
  });
  return updates;
}

TEST(EngineTest, NamesTheMoveBeingSearchedOnceItTakesLong) {
  AnalysisRequest request = RequestFor(kStartFen, 100);
  request.multi_pv = 3;
  const auto updates = UpdatesUntil(request, [](const Analysis& update) { return update.current_move_number > 1; });
  const Analysis& last = updates.back();
  EXPECT_TRUE(request.position.IsLegal(last.current_move));
  EXPECT_GE(last.elapsed, std::chrono::seconds(1));
  EXPECT_EQ(last.lines.size(), 3u);
  EXPECT_TRUE(updates.front().current_move.IsNone());
}

TEST(EngineTest, TellsABetterMoveBeforeTheIterationEnds) {
  // A sharp Sicilian, where the first choice does not last.
  const AnalysisRequest request = RequestFor("r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1", 14);
  const auto updates = UpdatesUntil(request, [](const Analysis&) { return false; });
  const auto same_depth = [](const Analysis& a, const Analysis& b) { return a.depth == b.depth; };
  const auto change = std::adjacent_find(updates.begin(), updates.end(), same_depth);
  ASSERT_NE(change, updates.end());
  ASSERT_NE(change, updates.begin());
  EXPECT_NE(change->lines.front().pv.front(), std::prev(change)->lines.front().pv.front());
}

TEST(EngineTest, StopsOnceTheMateAskedForIsFound) {
  AnalysisRequest request = RequestFor("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", 30);
  request.limits.mate = 2;
  EXPECT_EQ(AnalyzeFresh(request).stop_reason, StopReason::kMate);
}

}  // namespace
}  // namespace kibitz
