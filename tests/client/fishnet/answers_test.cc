#include "client/fishnet/answers.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace kibitz::client::fishnet {
namespace {

using nlohmann::json;

v1::AnalyzeResponse::Final FinalOf(int depth, int centipawns) {
  v1::AnalyzeResponse::Final final;
  v1::AnalysisUpdate& result = *final.mutable_result();
  result.set_depth(depth);
  result.set_nodes(1000);
  result.set_nps(500);
  result.mutable_elapsed()->set_seconds(2);
  v1::Line& line = *result.add_lines();
  line.set_rank(1);
  line.mutable_score()->set_centipawns(centipawns);
  for (const char* move : {"e2e4", "e7e5"}) line.add_pv_uci(move);
  return final;
}

TEST(AnswersTest, TellAPositionsValue) {
  EXPECT_EQ(PartOf(FinalOf(9, -20), {}), json::parse(R"({"pv":"e2e4 e7e5","score":{"cp":-20},"depth":9,"nodes":1000,
                                                       "time":2000,"nps":500})"));
}

TEST(AnswersTest, TellTheEndOfAGame) {
  v1::AnalyzeResponse::Final final;
  final.set_status(v1::GAME_STATUS_CHECKMATE);
  EXPECT_EQ(PartOf(final, {}), json::parse(R"({"score":{"mate":0},"depth":0,"nodes":0,"time":0})"));
  final.set_status(v1::GAME_STATUS_STALEMATE);
  EXPECT_EQ(PartOf(final, {}).at("score"), json::parse(R"({"cp":0})"));
}

TEST(AnswersTest, TellSeveralLinesAsATable) {
  const json part = PartOf(FinalOf(2, 7), {.multi_pv = 2});
  EXPECT_EQ(part.at("score"), json::parse(R"([[null,null,{"cp":7}]])"));
  EXPECT_EQ(part.at("pv"), json::parse(R"([[null,null,["e2e4","e7e5"]]])"));
}

TEST(AnswersTest, AreKnownAsPartialByTheirFirst) {
  const EngineName engine{.version = "1.2", .evaluation = "classical"};
  const json whole = json::parse(AnalysisText(engine, {SkippedPart(), PartOf(FinalOf(1, 1), {})}));
  EXPECT_EQ(whole.at("analysis")[0], SkippedPart());
  EXPECT_EQ(whole.at("engine"), json::parse(R"({"name":"Kibitz","version":"1.2","evaluation":"classical"})"));
  const json partial = json::parse(AnalysisText(engine, {SkippedPart(), json()}));
  EXPECT_EQ(partial.at("analysis"), json::parse("[null,null]"));
}

TEST(AnswersTest, HaveNoMoveWhereThereIsNone) {
  EXPECT_EQ(json::parse(MoveText({}, "e2e4")).at("move"), json::parse(R"({"bestmove":"e2e4"})"));
  EXPECT_EQ(json::parse(MoveText({}, "")).at("move"), json::parse(R"({"bestmove":null})"));
}

}  // namespace
}  // namespace kibitz::client::fishnet
