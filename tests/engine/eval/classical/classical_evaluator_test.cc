#include "engine/eval/classical/classical_evaluator.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/board/fen.h"
#include "engine/eval/classical/tapered.h"
#include "tests/support/perft_suite.h"
#include "tests/support/positions.h"

namespace kibitz {
namespace {

int ValueOf(const Position& position) {
  ClassicalEvaluator evaluator;
  return evaluator.Evaluate(position);
}

int ValueOf(const std::string& fen) { return ValueOf(MustParse(fen)); }

class ClassicalEvaluatorSuiteTest : public testing::TestWithParam<SuitePosition> {};
INSTANTIATE_TEST_SUITE_P(Suite, ClassicalEvaluatorSuiteTest, EverySuitePosition(), SuiteName);

TEST_P(ClassicalEvaluatorSuiteTest, IsTheSameWithColorsExchanged) {
  Position position = GetParam().Parse();
  ForEachNode(position, 1, [](const Position& node, int) {
    EXPECT_EQ(ValueOf(node), ValueOf(WithColorsExchanged(node))) << ToFen(node);
  });
}

TEST_P(ClassicalEvaluatorSuiteTest, IsWhatItsExplanationAddsUpTo) {
  const Position position = GetParam().Parse();
  const EvaluationTrace trace = ExplainEvaluation(position);
  EXPECT_EQ(trace.value, ValueOf(position));
}

TEST(TaperedTest, KeepsBothHalvesApart) {
  const Tapered a(-300, 120);
  const Tapered b(45, -7000);
  EXPECT_EQ((a + b).middlegame(), -255);
  EXPECT_EQ((a + b).endgame(), -6880);
  EXPECT_EQ((a - b).middlegame(), -345);
  EXPECT_EQ((a - b).endgame(), 7120);
  EXPECT_EQ((a * -3).middlegame(), 900);
  EXPECT_EQ((a * -3).endgame(), -360);
}

TEST(ClassicalEvaluatorTest, RemembersPawnsOfTheRightPosition) {
  ClassicalEvaluator evaluator;
  const Position a = MustParse("4k3/pp3ppp/8/8/8/8/PPP2PPP/4K3 w - - 0 1");
  const Position b = MustParse("4k3/pp3ppp/8/8/8/P7/1PP2PPP/4K3 w - - 0 1");
  const int first = evaluator.Evaluate(a);
  evaluator.Evaluate(b);
  EXPECT_EQ(evaluator.Evaluate(a), first);
  EXPECT_EQ(first, ValueOf(a));
}

TEST(ClassicalEvaluatorTest, LikesWhatPlayersLike) {
  // A pawn more.
  EXPECT_GT(ValueOf("4k3/pp3ppp/8/8/8/8/PPP2PPP/4K3 w - - 0 1"), 50);
  // A passed pawn near its goal rather than at home.
  EXPECT_GT(ValueOf("4k3/8/P7/8/8/8/8/4K3 w - - 0 1"), ValueOf("4k3/8/8/8/8/8/P7/4K3 w - - 0 1"));
  // Pawns side by side rather than doubled.
  EXPECT_GT(ValueOf("4k3/ppp5/8/8/8/8/PPP5/4K3 w - - 0 1"), ValueOf("4k3/ppp5/8/8/8/P7/P1P5/4K3 w - - 0 1"));
  // A rook on an open file.
  EXPECT_GT(ValueOf("4k2r/ppp3pp/8/8/8/8/PPP3PP/4KR2 w k - 0 1"),
            ValueOf("4k2r/ppp3pp/8/8/8/8/PPP3PP/4K2R w Kk - 0 1"));
  // Two bishops rather than two knights.
  EXPECT_GT(ValueOf("2b1kb2/pppppppp/8/8/8/8/PPPPPPPP/2B1KB2 w - - 0 1"),
            ValueOf("2b1kb2/pppppppp/8/8/8/8/PPPPPPPP/2N1KN2 w - - 0 1"));
}

TEST(ClassicalEvaluatorTest, KnowsEndgamesThatAreNotWon) {
  // The rook pawn's bishop does not guard the corner.
  EXPECT_LT(std::abs(ValueOf("k7/8/8/8/P7/8/3B4/4K3 w - - 0 1")), 60);
  EXPECT_LT(std::abs(ValueOf("4k3/8/8/8/8/8/3NN3/4K3 w - - 0 1")), 60);
  EXPECT_LT(std::abs(ValueOf("4k3/4b3/8/8/8/8/3R4/4K3 w - - 0 1")), 60);
}

TEST(ClassicalEvaluatorTest, DrivesABareKingToTheEdge) {
  EXPECT_GT(ValueOf("k7/8/2K5/8/8/8/8/7R w - - 0 1"), ValueOf("8/8/8/3k4/8/2K5/8/7R w - - 0 1"));
}

}  // namespace
}  // namespace kibitz
