#include "engine/tuning/fit.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/board/fen.h"
#include "engine/eval/classical/classical_evaluator.h"
#include "engine/eval/classical/evaluation_weights.h"
#include "engine/tuning/record.h"
#include "engine/tuning/weight_list.h"

namespace kibitz::tuning {
namespace {

std::string Header() {
  std::ifstream file("engine/eval/classical/weights.h");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// What formatting may change.
std::string WithoutBlanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

TEST(WeightListTest, WritesTheHeaderAsItIs) {
  const std::string header = Header();
  ASSERT_FALSE(header.empty());
  const absl::StatusOr<std::string> rewritten = WeightList().Rewrite(header);
  ASSERT_TRUE(rewritten.ok()) << rewritten.status().message();
  EXPECT_TRUE(WithoutBlanks(*rewritten) == WithoutBlanks(header)) << *rewritten;
}

TEST(WeightListTest, ChangesTheEvaluation) {
  const Position position = *ParseFen("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1");
  WeightList list;
  const auto value = [&] { return ExplainEvaluation(position, EvaluationWeights(list.weights())).value; };
  const int before = ExplainEvaluation(position).value;
  EXPECT_EQ(value(), before);
  // The first two are a pawn's.
  list.Set(1, list.Get(1) + 100);
  EXPECT_GT(value(), before + 100);
  EXPECT_EQ(ExplainEvaluation(position).value, before);
  list.Set(1, list.Get(1) - 100);
  EXPECT_EQ(value(), before);
}

TEST(WeightListTest, SaysWhatTheHeaderLacks) { EXPECT_FALSE(WeightList().Rewrite("nothing").ok()); }

// White wins whenever he has the knight and Black the bishop: the knight must rise against the bishop.
TEST(FitTest, LearnsFromResults) {
  std::vector<Record> records;
  for (const char* king : {"1", "2", "3", "4"}) {
    for (const char* fen : {"4k3/1b1ppp2/8/8/8/8/1N1PPP2/4K3 w - - 0 ", "2b1k3/3ppp2/8/8/4N3/8/3PPP2/4K3 b - - 0 "}) {
      records.push_back(Pack(*ParseFen(std::string(fen) + king), {.value = 0, .result = 1}));
    }
  }
  absl::StatusOr<Fit> fit = Fit::Make(records, {.threads = 2, .steps = 50, .reach = 1000, .score_share = 0});
  ASSERT_TRUE(fit.ok()) << fit.status().message();
  const int knight = fit->weights().Get(3);
  const int bishop = fit->weights().Get(5);
  const double before = fit->Error();
  EXPECT_LT(fit->Improve(), before);
  EXPECT_GT(fit->weights().Get(3) - fit->weights().Get(5), knight - bishop);
}

TEST(FitTest, RefusesWhatIsNoPosition) {
  EXPECT_FALSE(Fit::Make({Record()}, {}).ok());
  EXPECT_FALSE(Fit::Make({Pack(Position(), {})}, {}).ok()) << "no result";
  EXPECT_FALSE(Fit::Make({}, {}).ok());
}

}  // namespace
}  // namespace kibitz::tuning
