#include "engine/explanation.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "engine/board/fen.h"
#include "engine/board/uci_move.h"
#include "engine/engine.h"
#include "engine/eval/classical/classical_evaluator.h"
#include "engine/eval/evaluator.h"
#include "tests/support/perft_suite.h"
#include "tests/support/positions.h"

namespace kibitz {
namespace {

double ValueOf(const Explanation& explanation, ExplainedTerm term) {
  return explanation.terms[static_cast<int>(term)].value;
}

class ExplanationSuiteTest : public testing::TestWithParam<SuitePosition> {};
INSTANTIATE_TEST_SUITE_P(Suite, ExplanationSuiteTest, EverySuitePosition(), SuiteName);

TEST_P(ExplanationSuiteTest, AddsUpToWhatTheSearchUses) {
  Position position = GetParam().Parse();
  ForEachNode(position, 1, [](const Position& node, int) {
    const Explanation explanation = Explain(node);
    double sum = 0;
    for (const Explanation::Term& term : explanation.terms) sum += term.value;
    EXPECT_NEAR(sum, explanation.sum, 1e-6) << ToFen(node);
    ClassicalEvaluator evaluator;
    const int value = evaluator.Evaluate(node);
    const int white = node.side_to_move() == Color::kWhite ? value : -value;
    EXPECT_NEAR(explanation.sum, Score::ToCentipawns(white), 1e-6) << ToFen(node);
    EXPECT_EQ(explanation.score.amount, Score::FromValue(value).amount) << ToFen(node);
  });
}

TEST_P(ExplanationSuiteTest, TellsWhatTheSearchTakesFromTheNet) {
  const Position position = GetParam().Parse();
  const std::optional<NetExplanation> net = ExplainNet(position);
  ASSERT_TRUE(net.has_value());
  EXPECT_EQ(net->name, EvaluationName());
  const std::unique_ptr<Evaluator> evaluator = DefaultEvaluator().make();
  evaluator->Reset(position);
  const int value = evaluator->Evaluate(position);
  EXPECT_EQ(net->score.amount, Score::FromValue(value).amount);
  const int white = position.side_to_move() == Color::kWhite ? value : -value;
  EXPECT_NEAR(net->lead, Score::ToCentipawns(white), 1e-6);
}

TEST(ExplanationTest, TellsWhatAPieceCountsForByTheNet) {
  const Position position = MustParse("3qk3/8/8/8/8/8/P7/3QK3 w - - 0 1");
  const std::optional<NetExplanation> net = ExplainNet(position);
  ASSERT_TRUE(net.has_value());
  ASSERT_EQ(net->pieces.size(), 3);
  for (const auto& [square, value] : net->pieces) {
    EXPECT_EQ(value > 0, position.PieceOn(square).color() == Color::kWhite) << ToString(square);
  }
}

TEST(ExplanationTest, LeavesOutPiecesThatShieldTheKing) {
  // Without the bishop White, who is not to move, would stand in check.
  const std::optional<NetExplanation> net = ExplainNet(MustParse("4k3/8/8/8/8/4r3/4B3/4K3 b - - 0 1"));
  ASSERT_TRUE(net.has_value());
  ASSERT_EQ(net->pieces.size(), 1);
  EXPECT_EQ(net->pieces[0].square, Square::kE3);
}

TEST(ExplanationTest, SaysNothingOfANetThatIsNotUsed) {
  ASSERT_TRUE(SetEvaluation(kClassicalEvaluation, "").ok());
  EXPECT_FALSE(ExplainNet(Position()).has_value());
  ASSERT_TRUE(SetEvaluation(kDefaultEvaluation, "").ok());
}

TEST(ExplanationTest, TellsWhoseShareItIs) {
  const Explanation explanation = Explain(MustParse("4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1"));
  const Explanation::Term& material = explanation.terms[static_cast<int>(ExplainedTerm::kMaterial)];
  EXPECT_TRUE(material.has_shares);
  EXPECT_GT(material.shares[Index(Color::kWhite)].endgame, 200);
  EXPECT_EQ(material.shares[Index(Color::kBlack)].endgame, 0);
  EXPECT_EQ(explanation.phase, 0);
  EXPECT_FALSE(explanation.terms[static_cast<int>(ExplainedTerm::kTempo)].has_shares);
}

TEST(ExplanationTest, TheTempoIsForWhoMoves) {
  EXPECT_GT(ValueOf(Explain(Position()), ExplainedTerm::kTempo), 0);
  EXPECT_LT(
      ValueOf(Explain(MustParse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1")), ExplainedTerm::kTempo),
      0);
}

TEST(ExplanationTest, TellsWhatTheFiftyMoveRuleTakes) {
  const Explanation late = Explain(MustParse("4k3/8/8/8/8/8/PPP5/4K2R w - - 90 100"));
  EXPECT_LT(ValueOf(late, ExplainedTerm::kFiftyMoves), -100);
  EXPECT_EQ(ValueOf(Explain(MustParse("4k3/8/8/8/8/8/PPP5/4K2R w - - 0 100")), ExplainedTerm::kFiftyMoves), 0);
}

TEST(ExplanationTest, TellsWhatCannotBeWon) {
  // Two knights do not win.
  const Explanation explanation = Explain(MustParse("4k3/8/8/8/8/8/8/2N1KN2 w - - 0 1"));
  EXPECT_EQ(explanation.endgame_scale, 0);
  EXPECT_LT(ValueOf(explanation, ExplainedTerm::kEndgame), -300);
}

}  // namespace
}  // namespace kibitz
