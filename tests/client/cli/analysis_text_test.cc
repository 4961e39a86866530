#include "client/cli/analysis_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace kibitz::client {
namespace {

v1::Score Centipawns(int amount, v1::Score::Bound bound = v1::Score::BOUND_UNSPECIFIED) {
  v1::Score score;
  score.set_centipawns(amount);
  score.set_bound(bound);
  return score;
}

v1::Score Mate(int moves) {
  v1::Score score;
  score.set_mate_in_moves(moves);
  return score;
}

v1::AnalysisUpdate TwoLines() {
  v1::AnalysisUpdate update;
  update.set_depth(12);
  update.set_seldepth(18);
  update.set_nodes(1'234'567);
  update.set_nps(2'000'000);
  v1::Line* first = update.add_lines();
  first->set_rank(1);
  *first->mutable_score() = Centipawns(34);
  first->add_pv_san("e4");
  first->add_pv_san("e5");
  v1::Line* second = update.add_lines();
  second->set_rank(2);
  *second->mutable_score() = Mate(-3);
  second->add_pv_san("d4");
  return update;
}

TEST(AnalysisTextTest, WritesScoresInPawnsWithASign) {
  EXPECT_EQ(ScoreText(Centipawns(34)), "+0.34");
  EXPECT_EQ(ScoreText(Centipawns(-150)), "-1.50");
  EXPECT_EQ(ScoreText(Centipawns(0)), "+0.00");
}

TEST(AnalysisTextTest, WritesMatesInMoves) {
  EXPECT_EQ(ScoreText(Mate(3)), "#3");
  EXPECT_EQ(ScoreText(Mate(-2)), "#-2");
  EXPECT_EQ(ScoreText(Mate(0)), "#0");
}

TEST(AnalysisTextTest, MarksBounds) {
  EXPECT_EQ(ScoreText(Centipawns(20, v1::Score::BOUND_LOWER)), ">=+0.20");
  EXPECT_EQ(ScoreText(Centipawns(20, v1::Score::BOUND_UPPER)), "<=+0.20");
}

TEST(AnalysisTextTest, ShowsEachLineOfPlay) {
  EXPECT_EQ(UpdateLines(TwoLines(), Palette()),
            " 1.  12/18     +0.34   1.23 M nodes   2.00 M/s  e4 e5\n"
            " 2.  12/18       #-3   1.23 M nodes   2.00 M/s  d4\n");
}

TEST(AnalysisTextTest, LeavesOutTheRankOfASingleLine) {
  v1::AnalysisUpdate update = TwoLines();
  update.mutable_lines()->RemoveLast();
  EXPECT_EQ(UpdateLines(update, Palette()), "  12/18     +0.34   1.23 M nodes   2.00 M/s  e4 e5\n");
}

TEST(AnalysisTextTest, NamesTheBestMoveAndTheReply) {
  v1::AnalyzeResponse::Final final;
  *final.mutable_result() = TwoLines();
  final.mutable_result()->mutable_elapsed()->set_seconds(2);
  final.set_best_move("e2e4");
  final.set_stop_reason(v1::STOP_REASON_DEPTH);
  EXPECT_EQ(FinalLines(final, Palette()), "best move  e4 (e2e4), expecting e5; the depth is complete after 2.00 s\n");
}

TEST(AnalysisTextTest, SaysHowAFinishedGameEnded) {
  v1::AnalyzeResponse::Final final;
  final.set_stop_reason(v1::STOP_REASON_NO_LEGAL_MOVES);
  final.set_status(v1::GAME_STATUS_STALEMATE);
  EXPECT_EQ(FinalLines(final, Palette()), "no move  stalemate\n");
}

TEST(AnalysisTextTest, DrawsATableForTheTerminal) {
  v1::AnalysisUpdate update = TwoLines();
  update.set_hashfull(125);
  update.mutable_elapsed()->set_seconds(2);
  EXPECT_EQ(LiveTable(update, Palette{}, {.columns = 80, .rows = 24}),
            "depth 12/18  1.23 M nodes  2.00 M/s  hash 12.5 %  2.00 s\n"
            "  1.    +0.34  e4 e5\n"
            "  2.      #-3  d4\n");
}

TEST(AnalysisTextTest, LeavesOutMovesThatDoNotFit) {
  v1::AnalysisUpdate update = TwoLines();
  for (int i = 0; i < 50; ++i) update.mutable_lines(0)->add_pv_san("Nf3");
  const std::string table = LiveTable(update, Palette{}, {.columns = 40, .rows = 24});
  for (std::size_t start = 0; start < table.size(); start = table.find('\n', start) + 1) {
    EXPECT_LE(table.find('\n', start) - start, 40) << table;
  }
  EXPECT_NE(table.find("  e4 e5 Nf3 Nf3 Nf3 Nf3 Nf3\n"), std::string::npos) << table;
}

TEST(AnalysisTextTest, LeavesOutLinesThatDoNotFit) {
  v1::AnalysisUpdate update = TwoLines();
  for (int i = 0; i < 50; ++i) *update.add_lines() = update.lines(1);
  const std::string table = LiveTable(update, Palette{}, {.columns = 80, .rows = 10});
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 8);
}

}  // namespace
}  // namespace kibitz::client
