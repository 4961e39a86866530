#include "server/conversion/analysis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <limits>
#include <string>

#include "engine/board/fen.h"
#include "tests/server/conversion/expect_fault.h"

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

RequestCaps Caps() {
  return {.max_threads = 4,
          .max_multi_pv = 50,
          .max_search_time = std::chrono::minutes(1),
          .default_search_time = milliseconds(700)};
}

v1::AnalyzeRequest Request(const std::function<void(v1::AnalyzeRequest&)>& change) {
  v1::AnalyzeRequest wire;
  change(wire);
  return wire;
}

// The limits of a request that must be fine.
Limits LimitsOf(const std::function<void(v1::Limits&)>& change) {
  v1::AnalyzeRequest wire;
  change(*wire.mutable_limits());
  const absl::StatusOr<AnalysisSpec> spec = ParseAnalyze(wire, Caps());
  EXPECT_TRUE(spec.ok()) << spec.status().message();
  return spec.ok() ? spec->request.limits : Limits();
}

void ExpectFault(const std::function<void(v1::AnalyzeRequest&)>& change, const std::string& field,
                 const std::string& reason, const std::string& words = "") {
  server::ExpectFault(ParseAnalyze(Request(change), Caps()).status(), field, reason, words);
}

TEST(ParseAnalyzeTest, AnEmptyRequestGetsTheDefaults) {
  const absl::StatusOr<AnalysisSpec> spec = ParseAnalyze(v1::AnalyzeRequest(), Caps());
  ASSERT_TRUE(spec.ok());
  EXPECT_EQ(ToFen(spec->request.position), kStartFen);
  EXPECT_EQ(spec->request.limits.movetime, milliseconds(700));
  EXPECT_FALSE(spec->request.limits.depth.has_value());
  EXPECT_EQ(spec->request.multi_pv, 1);
  EXPECT_TRUE(spec->request.search_moves.empty());
  EXPECT_EQ(spec->min_update_interval, milliseconds(100));
}

TEST(ParseAnalyzeTest, EverySearchIsBoundedInTime) {
  const milliseconds bound = Caps().max_search_time;
  EXPECT_EQ(LimitsOf([](v1::Limits& limits) { limits.set_depth(9); }).movetime, bound);
  EXPECT_EQ(LimitsOf([](v1::Limits& limits) { limits.set_nodes(1); }).movetime, bound);
  EXPECT_EQ(LimitsOf([](v1::Limits& limits) { limits.set_mate(3); }).movetime, bound);
  EXPECT_EQ(LimitsOf([](v1::Limits& limits) { limits.set_infinite(true); }).movetime, bound);
  EXPECT_EQ(LimitsOf([](v1::Limits& limits) { limits.mutable_movetime()->set_seconds(61); }).movetime, bound);
}

TEST(ParseAnalyzeTest, ReadsLimits) {
  const Limits limits = LimitsOf([](v1::Limits& wire) {
    wire.set_depth(kMaxSearchDepth);
    wire.set_nodes(std::numeric_limits<std::int64_t>::max());
    wire.set_mate(1);
    wire.mutable_movetime()->set_nanos(1'500'000);
  });
  EXPECT_EQ(limits.depth, kMaxSearchDepth);
  EXPECT_EQ(limits.nodes, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(limits.mate, 1);
  EXPECT_EQ(limits.movetime, milliseconds(1));
}

TEST(ParseAnalyzeTest, RefusesLimitsOutOfRange) {
  for (const int depth : {0, -1, kMaxSearchDepth + 1}) {
    ExpectFault([=](auto& wire) { wire.mutable_limits()->set_depth(depth); }, "limits.depth", "OUT_OF_RANGE",
                std::to_string(depth));
  }
  for (const int nodes : {0, -5}) {
    ExpectFault([=](auto& wire) { wire.mutable_limits()->set_nodes(nodes); }, "limits.nodes", "OUT_OF_RANGE");
  }
  for (const int mate : {0, -1, 1000}) {
    ExpectFault([=](auto& wire) { wire.mutable_limits()->set_mate(mate); }, "limits.mate", "OUT_OF_RANGE");
  }
}

TEST(ParseAnalyzeTest, RefusesBadDurations) {
  const auto set = [](std::int64_t seconds, int nanos) {
    return [=](v1::AnalyzeRequest& wire) {
      wire.mutable_limits()->mutable_movetime()->set_seconds(seconds);
      wire.mutable_limits()->mutable_movetime()->set_nanos(nanos);
    };
  };
  ExpectFault(set(0, 0), "limits.movetime", "OUT_OF_RANGE", "less than 1 ms");
  ExpectFault(set(0, 999'999), "limits.movetime", "OUT_OF_RANGE", "less than 1 ms");
  ExpectFault(set(-1, 0), "limits.movetime", "OUT_OF_RANGE");
  ExpectFault(set(0, -1), "limits.movetime", "OUT_OF_RANGE");
  ExpectFault(set(0, 1'000'000'000), "limits.movetime", "OUT_OF_RANGE");
  ExpectFault(set(std::numeric_limits<std::int64_t>::max(), 0), "limits.movetime", "OUT_OF_RANGE");
  ExpectFault([](auto& wire) { wire.mutable_min_update_interval()->set_seconds(-1); }, "min_update_interval",
              "OUT_OF_RANGE");
}

TEST(ParseAnalyzeTest, ReadsTheClock) {
  ExpectFault([](auto& wire) { wire.mutable_limits()->mutable_clock()->mutable_white_time()->set_seconds(-1); },
              "limits.clock.white_time", "OUT_OF_RANGE");
  ExpectFault([](auto& wire) { wire.mutable_limits()->mutable_clock()->set_moves_to_go(-1); },
              "limits.clock.moves_to_go", "OUT_OF_RANGE");
  const absl::StatusOr<AnalysisSpec> spec = ParseAnalyze(
      Request([](auto& wire) { wire.mutable_limits()->mutable_clock()->mutable_black_time()->set_seconds(3); }),
      Caps());
  ASSERT_TRUE(spec.ok());
  EXPECT_EQ(spec->request.limits.clock->time[1], std::chrono::seconds(3));
}

TEST(ParseAnalyzeTest, RefusesNumbersOutOfRange) {
  ExpectFault([](auto& wire) { wire.set_multi_pv(-1); }, "multi_pv", "OUT_OF_RANGE");
  ExpectFault([](auto& wire) { wire.set_multi_pv(51); }, "multi_pv", "OUT_OF_RANGE", "0 and 50");
  ExpectFault([](auto& wire) { wire.set_threads(5); }, "threads", "OUT_OF_RANGE", "0 and 4");
  ExpectFault([](auto& wire) { wire.set_strength_elo(-1); }, "strength_elo", "OUT_OF_RANGE");
  ExpectFault([](auto& wire) { wire.mutable_position()->set_fen("x"); }, "position.fen", "INVALID_FEN");
}

TEST(ParseAnalyzeTest, ReadsThreadsAndPriority) {
  const absl::StatusOr<AnalysisSpec> spec = ParseAnalyze(Request([](auto& wire) {
                                                           wire.set_threads(2);
                                                           wire.set_priority(v1::PRIORITY_BATCH);
                                                         }),
                                                         Caps());
  ASSERT_TRUE(spec.ok());
  EXPECT_EQ(spec->threads, 2);
  EXPECT_TRUE(spec->batch);
  EXPECT_EQ(ParseAnalyze(Request([](auto&) {}), Caps())->threads, 1);
  ExpectFault([](auto& wire) { wire.set_priority(static_cast<v1::Priority>(9)); }, "priority", "UNKNOWN_ENUM_VALUE");
}

TEST(ParseAnalyzeTest, ReadsTheMoveOverhead) {
  const auto request =
      Request([](auto& wire) { wire.mutable_limits()->mutable_move_overhead()->set_nanos(30'000'000); });
  EXPECT_EQ(ParseAnalyze(request, Caps())->request.limits.move_overhead, milliseconds(30));
  ExpectFault([](auto& wire) { wire.mutable_limits()->mutable_move_overhead()->set_seconds(-1); },
              "limits.move_overhead", "OUT_OF_RANGE");
}

TEST(ParseAnalyzeTest, ReadsTheStrength) {
  EXPECT_EQ(ParseAnalyze(Request([](auto& wire) { wire.set_strength_elo(1500); }), Caps())->request.strength_elo, 1500);
}

TEST(ParseAnalyzeTest, ReadsSearchMoves) {
  const absl::StatusOr<AnalysisSpec> spec = ParseAnalyze(Request([](auto& wire) {
                                                           wire.add_search_moves("e2e4");
                                                           wire.add_search_moves("g1f3");
                                                           wire.add_search_moves("e2e4");
                                                         }),
                                                         Caps());
  ASSERT_TRUE(spec.ok());
  EXPECT_THAT(spec->request.search_moves, ElementsAre(Move(Square::kE2, Square::kE4), Move(Square::kG1, Square::kF3)));
}

TEST(ParseAnalyzeTest, LeavesOutExcludedMoves) {
  const absl::StatusOr<AnalysisSpec> rest =
      ParseAnalyze(Request([](auto& wire) { wire.add_exclude_moves("e2e4"); }), Caps());
  ASSERT_TRUE(rest.ok());
  EXPECT_EQ(rest->request.search_moves.size(), 19u);
  const absl::StatusOr<AnalysisSpec> one = ParseAnalyze(Request([](auto& wire) {
                                                          wire.add_search_moves("e2e4");
                                                          wire.add_search_moves("d2d4");
                                                          wire.add_exclude_moves("e2e4");
                                                        }),
                                                        Caps());
  ASSERT_TRUE(one.ok());
  EXPECT_THAT(one->request.search_moves, ElementsAre(Move(Square::kD2, Square::kD4)));
}

TEST(ParseAnalyzeTest, RefusesBadRootMoves) {
  ExpectFault([](auto& wire) { wire.add_search_moves("e2e5"); }, "search_moves[0]", "ILLEGAL_MOVE", "e2e5");
  ExpectFault(
      [](auto& wire) {
        wire.add_exclude_moves("e2e4");
        wire.add_exclude_moves("??");
      },
      "exclude_moves[1]", "ILLEGAL_MOVE");
  ExpectFault(
      [](auto& wire) {
        wire.add_search_moves("e2e4");
        wire.add_exclude_moves("e2e4");
      },
      "exclude_moves", "NO_MOVES_LEFT");
  ExpectFault(
      [](auto& wire) {
        for (int i = 0; i < 257; ++i) wire.add_search_moves("e2e4");
      },
      "search_moves", "TOO_MANY_MOVES");
}

TEST(ParseAnalyzeTest, ReproducibleNeedsALimitThatIs) {
  ExpectFault([](auto& wire) { wire.set_reproducible(true); }, "limits", "MISSING_FIELD");
  ExpectFault(
      [](auto& wire) {
        wire.set_reproducible(true);
        wire.mutable_limits()->set_depth(5);
        wire.mutable_limits()->mutable_movetime()->set_seconds(1);
      },
      "limits", "NOT_REPRODUCIBLE");
  const absl::StatusOr<AnalysisSpec> spec = ParseAnalyze(Request([](auto& wire) {
                                                           wire.set_reproducible(true);
                                                           wire.mutable_limits()->set_depth(5);
                                                         }),
                                                         Caps());
  ASSERT_TRUE(spec.ok());
  EXPECT_TRUE(spec->request.reproducible);
}

Analysis SampleAnalysis() {
  Analysis analysis;
  analysis.depth = 7;
  analysis.seldepth = 12;
  analysis.nodes = 5000;
  analysis.elapsed = milliseconds(250);
  analysis.lines = {
      {Score{.amount = 35}, {200, 700, 100}, {Move(Square::kE2, Square::kE4), Move(Square::kE7, Square::kE5)}},
      {Score::FromValue(MatedIn(4)), {0, 0, 1000}, {Move(Square::kG1, Square::kF3)}}};
  return analysis;
}

TEST(AnalysisToWireTest, WritesAnUpdate) {
  const v1::AnalyzeResponse response = UpdateToWire(AnalysisSpec(), SampleAnalysis());
  const v1::AnalysisUpdate& update = response.update();
  EXPECT_EQ(update.depth(), 7);
  EXPECT_EQ(update.seldepth(), 12);
  EXPECT_EQ(update.nodes(), 5000);
  EXPECT_EQ(update.nps(), 20000);
  EXPECT_EQ(update.elapsed().nanos(), 250'000'000);
  ASSERT_EQ(update.lines_size(), 2);
  EXPECT_EQ(update.lines(0).rank(), 1);
  EXPECT_EQ(update.lines(0).score().centipawns(), 35);
  EXPECT_EQ(update.lines(0).wdl().draw(), 700);
  EXPECT_THAT(update.lines(0).pv_uci(), ElementsAre("e2e4", "e7e5"));
  EXPECT_THAT(update.lines(0).pv_san(), ElementsAre("e4", "e5"));
  EXPECT_EQ(update.lines(1).rank(), 2);
  EXPECT_TRUE(update.lines(1).score().has_mate_in_moves());
  EXPECT_EQ(update.lines(1).score().mate_in_moves(), -2);
}

TEST(AnalysisToWireTest, WritesBounds) {
  Analysis analysis = SampleAnalysis();
  analysis.lines[0].score.bound = Score::Bound::kLower;
  analysis.lines[1].score.bound = Score::Bound::kUpper;
  const v1::AnalyzeResponse response = UpdateToWire(AnalysisSpec(), analysis);
  EXPECT_EQ(response.update().lines(0).score().bound(), v1::Score::BOUND_LOWER);
  EXPECT_EQ(response.update().lines(1).score().bound(), v1::Score::BOUND_UPPER);
}

TEST(AnalysisToWireTest, WritesAFinal) {
  const v1::AnalyzeResponse response = FinalToWire(AnalysisSpec(), SampleAnalysis(), v1::STOP_REASON_NODES);
  EXPECT_EQ(response.final().best_move(), "e2e4");
  EXPECT_EQ(response.final().ponder_move(), "e7e5");
  EXPECT_EQ(response.final().stop_reason(), v1::STOP_REASON_NODES);
  EXPECT_EQ(response.final().result().depth(), 7);
  EXPECT_EQ(response.final().status(), v1::GAME_STATUS_ONGOING);
  EXPECT_TRUE(response.final().provenance().fresh());
  EXPECT_THAT(response.final().provenance().engine(), HasSubstr("Kibitz"));
}

TEST(AnalysisToWireTest, AFinalWithoutMovesHasNoBestMove) {
  const v1::AnalyzeResponse response = FinalToWire(AnalysisSpec(), Analysis(), v1::STOP_REASON_NO_LEGAL_MOVES);
  EXPECT_EQ(response.final().best_move(), "");
  EXPECT_EQ(response.final().ponder_move(), "");
}

TEST(AnalysisToWireTest, KnowsEveryReason) {
  EXPECT_EQ(ToWire(StopReason::kDepth), v1::STOP_REASON_DEPTH);
  EXPECT_EQ(ToWire(StopReason::kNodes), v1::STOP_REASON_NODES);
  EXPECT_EQ(ToWire(StopReason::kTime), v1::STOP_REASON_TIME);
  EXPECT_EQ(ToWire(StopReason::kMate), v1::STOP_REASON_MATE);
  EXPECT_EQ(ToWire(StopReason::kNoLegalMoves), v1::STOP_REASON_NO_LEGAL_MOVES);
}

}  // namespace
}  // namespace kibitz::server
