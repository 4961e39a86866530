#include "client/fishnet/work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace kibitz::client::fishnet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kStart[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
constexpr char kLimits[] = R"("nodes":{"sf16":1000,"classical":3000},"timeout":5000)";

std::string Text(const std::string& limits, const std::string& moves = "e2e4 e7e5",
                 const std::string& rest = R"("variant":"standard","skipPositions":[1])",
                 const std::string& type = "analysis") {
  return R"({"work":{"type":")" + type + R"(","id":"w1",)" + limits + R"(},"game_id":"","position":")" + kStart +
         R"(","moves":")" + moves + "\"," + rest + "}";
}

Work WorkOf(const std::string& text) {
  const auto offer = ParseOffer(text);
  EXPECT_TRUE(offer.ok()) << offer.status();
  if (!offer.ok()) return {};
  EXPECT_TRUE(offer->work.ok()) << offer->work.status();
  return offer->work.value_or(Work());
}

std::string FaultOf(const std::string& text) {
  const auto offer = ParseOffer(text);
  if (!offer.ok()) return "no offer: " + std::string(offer.status().message());
  EXPECT_EQ(offer->id, "w1");
  return std::string(offer->work.status().message());
}

TEST(WorkTest, ReadsAnAnalysis) {
  const Work work = WorkOf(Text(kLimits));
  EXPECT_EQ(work.kind, Work::Kind::kAnalysis);
  EXPECT_EQ(work.positions(), 3);
  EXPECT_THAT(work.skipped, ElementsAre(1));
  EXPECT_EQ(work.timeout, absl::Seconds(5));
  const auto request = AnalysisRequest(work, 1, "classical");
  EXPECT_THAT(request.position().moves(), ElementsAre("e2e4"));
  EXPECT_EQ(request.limits().nodes(), 3000);
  EXPECT_EQ(request.limits().movetime().seconds(), 5);
  EXPECT_EQ(request.priority(), v1::PRIORITY_BATCH);
  EXPECT_EQ(AnalysisRequest(work, 0, "some net").limits().nodes(), 1000);
}

TEST(WorkTest, ReadsAMove) {
  const Work work =
      WorkOf(Text(R"("level":1,"clock":{"wtime":18000,"btime":100,"inc":2})", "e2e4", R"("variant":"")", "move"));
  EXPECT_EQ(work.kind, Work::Kind::kMove);
  const auto request = MoveRequest(work);
  EXPECT_EQ(request.strength_elo(), 1000);
  EXPECT_EQ(request.limits().clock().white_time().seconds(), 180);
  EXPECT_EQ(request.limits().clock().black_time().seconds(), 1);
  EXPECT_EQ(request.limits().clock().black_increment().seconds(), 2);
  EXPECT_THAT(request.position().moves(), ElementsAre("e2e4"));
}

TEST(WorkTest, CastlesByTheVariantsNotation) {
  const std::string moves = "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1h1";
  EXPECT_EQ(WorkOf(Text(kLimits, moves)).game.moves(6), "e1g1");
  EXPECT_EQ(WorkOf(Text(kLimits, moves, R"("variant":"chess960")")).game.moves(6), "e1h1");
}

TEST(WorkTest, NamesWhatIsWrong) {
  EXPECT_THAT(FaultOf("nothing"), HasSubstr("no JSON"));
  EXPECT_THAT(FaultOf("{}"), HasSubstr("work is no object"));
  EXPECT_THAT(FaultOf(R"({"work":{"id":[]}})"), HasSubstr("work.id"));
  EXPECT_THAT(FaultOf(Text(kLimits, "", R"("variant":"atomic")")), HasSubstr("variant is 'atomic'"));
  EXPECT_THAT(FaultOf(Text(kLimits, "e2e4 e2e4")), HasSubstr("moves[1]:"));
  EXPECT_THAT(FaultOf(Text(kLimits, "", R"("skipPositions":[1])")), HasSubstr("skipPositions"));
  EXPECT_THAT(FaultOf(Text(R"("nodes":{"sf16":-1})")), HasSubstr("work.nodes"));
  EXPECT_THAT(FaultOf(Text(R"("timeout":7000)")), HasSubstr("work.nodes is missing"));
  EXPECT_THAT(FaultOf(Text(R"("nodes":5,"timeout":0)")), HasSubstr("work.timeout"));
  EXPECT_THAT(FaultOf(Text(R"("nodes":5)", "", "\"x\":0", "dance")), HasSubstr("work.type"));
  EXPECT_THAT(FaultOf(Text(R"("level":9)", "", "\"x\":0", "move")), HasSubstr("work.level"));
}

}  // namespace
}  // namespace kibitz::client::fishnet
