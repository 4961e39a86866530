// What the search makes of stalemate, the fifty-move rule and repetition.

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "engine/board/uci_move.h"
#include "engine/engine.h"
#include "tests/support/positions.h"

namespace kibitz {
namespace {

AnalysisRequest RequestFor(const std::string& fen, const std::string& moves = "") {
  AnalysisRequest request;
  request.position = MustParse(fen);
  if (!moves.empty()) PlayUci(request.position, moves);
  request.limits.nodes = 50'000;
  return request;
}

AnalysisLine BestLine(const AnalysisRequest& request) {
  Engine engine(4);
  return Analyze(engine, request).analysis.lines.front();
}

AnalysisLine LineOf(AnalysisRequest request, const std::string& move) {
  request.search_moves = {MustParseUci(request.position, move)};
  return BestLine(request);
}

// The search does not tell draws apart by more than a hair.
bool IsDraw(const AnalysisLine& line) {
  return line.score.kind == Score::Kind::kCentipawns && std::abs(line.score.amount) <= 1;
}

bool IsWinning(const AnalysisLine& line) {
  return line.score.kind == Score::Kind::kMate ? line.score.amount > 0 : line.score.amount > 200;
}

std::string FirstMove(const AnalysisLine& line) { return ToUci(line.pv.front(), Variant::kStandard); }

TEST(StalemateTest, PromotesToARookWhereAQueenWouldStalemate) {
  const AnalysisRequest request = RequestFor("8/5P1k/8/7K/8/8/8/8 w - - 0 1");
  EXPECT_TRUE(IsDraw(LineOf(request, "f7f8q")));
  EXPECT_EQ(FirstMove(BestLine(request)), "f7f8r");
  EXPECT_TRUE(IsWinning(BestLine(request)));
}

TEST(StalemateTest, DoesNotTakeTheLastMoveAway) {
  const AnalysisRequest request = RequestFor("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1");
  EXPECT_TRUE(IsDraw(LineOf(request, "f1f7")));
  EXPECT_TRUE(IsWinning(BestLine(request)));
}

TEST(StalemateTest, SeesThatAPawnOnTheSeventhIsNotEnough) {
  // Guarding the pawn stalemates, and leaving it loses it.
  EXPECT_TRUE(IsDraw(BestLine(RequestFor("8/8/8/8/8/2k5/1p6/1K6 b - - 0 1"))));
}

TEST(FiftyMovesTest, ComeAfterMate) {
  const AnalysisLine line = BestLine(RequestFor("6k1/5ppp/8/8/8/8/8/K2R4 w - - 99 80"));
  EXPECT_EQ(FirstMove(line), "d1d8");
  EXPECT_EQ(line.score.kind, Score::Kind::kMate);
  EXPECT_EQ(line.score.amount, 1);
}

TEST(FiftyMovesTest, MakeThePawnMoveThatStartsThemAnew) {
  const AnalysisRequest request = RequestFor("7k/8/8/3K4/8/8/P7/R7 w - - 99 80");
  EXPECT_EQ(FirstMove(BestLine(request)).substr(0, 2), "a2");
  EXPECT_TRUE(IsWinning(BestLine(request)));
  EXPECT_TRUE(IsDraw(LineOf(request, "a1b1")));
}

TEST(FiftyMovesTest, AreWaitedForByTheDefender) {
  // Two plies are left: without a capture or a mate in them the queen is of no use.
  EXPECT_TRUE(IsDraw(BestLine(RequestFor("7k/8/8/3K4/8/8/8/Q7 b - - 98 80"))));
}

// White's knight goes to and fro, and so does Black's queen, who is winning.
constexpr char kBlackWins[] = "3q3k/8/8/8/8/8/8/K1N5 w - - 0 1";
constexpr char kAgain[] = "c1b3 d8e8 b3c1 e8d8 ";

TEST(RepetitionTest, IsAvoidedByTheWinner) {
  // Playing d8 would be the third time.
  const AnalysisRequest request = RequestFor(kBlackWins, std::string(kAgain) + "c1b3 d8e8 b3c1");
  EXPECT_TRUE(IsDraw(LineOf(request, "e8d8")));
  EXPECT_NE(FirstMove(BestLine(request)), "e8d8");
  EXPECT_TRUE(IsWinning(BestLine(request)));
}

TEST(RepetitionTest, IsSoughtByTheLoser) {
  // The position after the knight's return has stood twice.
  const AnalysisRequest request = RequestFor(kBlackWins, "c1b3 d8e8 b3c1 e8d8 c1b3 d8e8 b3c1 e8d8 c1b3 d8e8");
  EXPECT_EQ(FirstMove(BestLine(request)), "b3c1");
  EXPECT_TRUE(IsDraw(BestLine(request)));
}

TEST(RepetitionTest, IsForgottenAfterAPawnMove) {
  const AnalysisRequest request =
      RequestFor("3q3k/7p/8/8/8/8/8/K1N5 w - - 0 1", std::string(kAgain) + "c1b3 h7h6 b3c1 d8e8 c1b3");
  EXPECT_TRUE(IsWinning(LineOf(request, "e8d8")));
}

}  // namespace
}  // namespace kibitz
