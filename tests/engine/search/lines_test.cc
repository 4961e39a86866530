// What all lines of an analysis have in common, over many positions.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/uci_move.h"
#include "engine/engine.h"
#include "engine/search/score.h"
#include "tests/support/positions.h"
#include "tests/support/random_game.h"

namespace kibitz {
namespace {

// Positions from random games, with the game behind them, all with moves left.
std::vector<Position> SomePositions(int count) {
  std::vector<Position> positions;
  RandomGame random(11);
  while (static_cast<int>(positions.size()) < count) {
    Position position = MustParse(random.Below(4) == 0 ? random.Chess960Start() : kStartFen, Variant::kChess960);
    for (int plies = random.Below(80); plies > 0 && position.HasLegalMove(); --plies) {
      position.MakeMove(random.PickMove(position));
    }
    if (position.HasLegalMove()) positions.push_back(position);
  }
  return positions;
}

void ExpectLegalToItsEnd(const Position& root, const AnalysisLine& line) {
  ASSERT_FALSE(line.pv.empty()) << ToFen(root);
  Position position = root;
  for (Move move : line.pv) {
    ASSERT_TRUE(position.IsLegal(move)) << ToFen(root) << ": " << ToUci(move, Variant::kChess960);
    position.MakeMove(move);
  }
  // A mate is shown to its end or cut short, but nothing is played after it.
  if (line.score.kind == Score::Kind::kMate && line.score.bound == Score::Bound::kExact) {
    EXPECT_LE(static_cast<int>(line.pv.size()), 2 * std::abs(line.score.amount)) << ToFen(root);
  }
}

// For comparing scores of both kinds: a near mate is more than a far one, and any is more than centipawns.
int Worth(const Score& score) {
  if (score.kind == Score::Kind::kCentipawns) return score.amount;
  return score.amount > 0 ? kMateValue - score.amount : -kMateValue - score.amount;
}

TEST(LinesTest, AreLegalToTheirEndsInEveryUpdate) {
  Engine engine(16);
  int updates = 0;
  for (const Position& position : SomePositions(60)) {
    AnalysisRequest request;
    request.position = position;
    request.limits.nodes = 20'000;
    request.multi_pv = 3;
    const auto check = [&](const Analysis& analysis) {
      ++updates;
      for (const AnalysisLine& line : analysis.lines) ExpectLegalToItsEnd(position, line);
    };
    check(Analyze(engine, request, /*threads=*/1, check).analysis);
  }
  EXPECT_GE(updates, 300);
}

TEST(LinesTest, AreDistinctAndSorted) {
  Engine engine(16);
  for (const Position& position : SomePositions(25)) {
    AnalysisRequest request;
    request.position = position;
    request.limits.depth = 5;
    request.multi_pv = kMaxMoves;
    const std::vector<AnalysisLine> lines = Analyze(engine, request).analysis.lines;
    EXPECT_EQ(static_cast<int>(lines.size()), CountLegalMoves(position.board()));
    for (std::size_t i = 1; i < lines.size(); ++i) {
      EXPECT_LE(Worth(lines[i].score), Worth(lines[i - 1].score)) << ToFen(position) << " line " << i;
      for (std::size_t j = 0; j < i; ++j) EXPECT_NE(lines[i].pv.front(), lines[j].pv.front()) << ToFen(position);
    }
  }
}

TEST(LinesTest, BeginWithTheMovesAskedForOnly) {
  Engine engine(16);
  for (const Position& position : SomePositions(25)) {
    AnalysisRequest request;
    request.position = position;
    request.limits.depth = 6;
    request.multi_pv = 5;
    const MoveList legal = LegalMoves(position);
    for (int i = 0; i < std::min(3, legal.size()); ++i) request.search_moves.push_back(legal[i]);
    const std::vector<AnalysisLine> lines = Analyze(engine, request).analysis.lines;
    EXPECT_EQ(lines.size(), request.search_moves.size());
    for (const AnalysisLine& line : lines) {
      EXPECT_EQ(std::count(request.search_moves.begin(), request.search_moves.end(), line.pv.front()), 1);
    }
  }
}

TEST(LinesTest, HaveTheSameScoreWithColorsExchanged) {
  // What a search learns stands in tables under hashes, which collide with others in a position than in its mirror
  // image. By the classical evaluation that changes no score here; by the net, whose values nnue_test compares, one by
  // a centipawn.
  ASSERT_TRUE(SetEvaluation(kClassicalEvaluation, "").ok());
  for (const Position& position : SomePositions(40)) {
    AnalysisRequest request;
    request.position = MustParse(ToFen(position), Variant::kChess960);  // without the game: only one has it
    request.limits.depth = 6;
    Engine one(16);
    const Score score = Analyze(one, request).analysis.lines.front().score;
    request.position = WithColorsExchanged(request.position);
    Engine other(16);
    const Score exchanged = Analyze(other, request).analysis.lines.front().score;
    EXPECT_EQ(Worth(score), Worth(exchanged)) << ToFen(position);
  }
  ASSERT_TRUE(SetEvaluation(kDefaultEvaluation, "").ok());
}

}  // namespace
}  // namespace kibitz
