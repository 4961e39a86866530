#include "client/uci/info_text.h"

#include <gtest/gtest.h>

namespace kibitz::client::uci {
namespace {

v1::AnalysisUpdate Update() {
  v1::AnalysisUpdate update;
  update.set_depth(7);
  update.set_seldepth(12);
  update.set_nodes(12345);
  update.set_nps(1'000'000);
  update.mutable_elapsed()->set_seconds(2);
  update.mutable_elapsed()->set_nanos(345'999'999);
  update.set_hashfull(8);
  update.set_tb_hits(9);
  return update;
}

v1::Line& AddLine(v1::AnalysisUpdate& update, int centipawns) {
  v1::Line& line = *update.add_lines();
  line.set_rank(update.lines_size());
  line.mutable_score()->set_centipawns(centipawns);
  line.mutable_wdl()->set_win(100);
  line.mutable_wdl()->set_draw(800);
  line.mutable_wdl()->set_loss(100);
  line.add_pv_uci("e2e4");
  line.add_pv_uci("e7e5");
  return line;
}

TEST(InfoTextTest, WritesALineForEachLineOfPlay) {
  v1::AnalysisUpdate update = Update();
  AddLine(update, 34);
  AddLine(update, -5);
  EXPECT_EQ(InfoLines(update, /*show_wdl=*/false),
            "info depth 7 seldepth 12 multipv 1 score cp 34 nodes 12345 nps 1000000 hashfull 8 tbhits 9 time 2345 pv "
            "e2e4 e7e5\n"
            "info depth 7 seldepth 12 multipv 2 score cp -5 nodes 12345 nps 1000000 hashfull 8 tbhits 9 time 2345 pv "
            "e2e4 e7e5\n");
}

TEST(InfoTextTest, WritesChancesOnRequest) {
  v1::AnalysisUpdate update = Update();
  AddLine(update, 34);
  EXPECT_NE(InfoLines(update, /*show_wdl=*/true).find(" score cp 34 wdl 100 800 100 nodes "), std::string::npos);
}

TEST(InfoTextTest, NamesTheMoveBeingSearched) {
  v1::AnalysisUpdate update = Update();
  AddLine(update, 34);
  update.set_current_move("d2d4");
  update.set_current_move_number(3);
  EXPECT_NE(InfoLines(update, false).find(" score cp 34 currmove d2d4 currmovenumber 3 nodes "), std::string::npos);
}

TEST(InfoTextTest, WritesMatesAndBounds) {
  v1::AnalysisUpdate update = Update();
  AddLine(update, 0).mutable_score()->set_mate_in_moves(-3);
  EXPECT_NE(InfoLines(update, false).find(" score mate -3 nodes "), std::string::npos);
  update.mutable_lines(0)->mutable_score()->set_centipawns(50);
  update.mutable_lines(0)->mutable_score()->set_bound(v1::Score::BOUND_LOWER);
  EXPECT_NE(InfoLines(update, false).find(" score cp 50 lowerbound nodes "), std::string::npos);
  update.mutable_lines(0)->mutable_score()->set_bound(v1::Score::BOUND_UPPER);
  EXPECT_NE(InfoLines(update, true).find(" score cp 50 upperbound wdl "), std::string::npos);
}

TEST(InfoTextTest, ScoresAFinishedGame) {
  EXPECT_EQ(GameOverInfo(/*mated=*/true, /*show_wdl=*/false), "info depth 0 score mate 0\n");
  EXPECT_EQ(GameOverInfo(/*mated=*/false, /*show_wdl=*/true), "info depth 0 score cp 0 wdl 0 1000 0\n");
}

TEST(InfoTextTest, KeepsWordsOnOneLine) { EXPECT_EQ(InfoString("a\nbestmove e2e4"), "info string a bestmove e2e4\n"); }

TEST(InfoTextTest, WritesTheBestMove) {
  EXPECT_EQ(BestMoveLine("e2e4", "e7e5"), "bestmove e2e4 ponder e7e5\n");
  EXPECT_EQ(BestMoveLine("e2e4", ""), "bestmove e2e4\n");
  EXPECT_EQ(BestMoveLine("", ""), "bestmove (none)\n");
}

}  // namespace
}  // namespace kibitz::client::uci
