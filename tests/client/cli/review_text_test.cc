#include "client/cli/review_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "client/cli/evaluation_text.h"
#include "client/cli/review_page.h"
#include "client/cli/review_progress.h"

namespace kibitz::client {
namespace {

using testing::HasSubstr;
using testing::Not;

ReviewOfGame Example() {
  ReviewOfGame review;
  const auto tag = [&](const char* name, const char* value) {
    auto* added = review.game.add_tags();
    added->set_name(name);
    added->set_value(value);
  };
  tag("White", "Ann <b>");
  tag("Black", "Bob & Co");
  tag("Result", "1-0");
  tag("Date", "????.??.??");
  review.game.set_plies(2);
  for (int number = 1; number <= 2; ++number) {
    v1::PlyReview& ply = review.plies[number];
    ply.set_ply(number);
    ply.set_move_number(1);
    ply.set_side(number == 1 ? v1::COLOR_WHITE : v1::COLOR_BLACK);
    ply.set_san(number == 1 ? "e4" : "f6");
    ply.set_uci(number == 1 ? "e2e4" : "f7f6");
    ply.set_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    ply.mutable_before()->mutable_score()->set_centipawns(number == 1 ? 30 : -30);
    ply.mutable_after()->mutable_score()->set_centipawns(number == 1 ? 30 : -400);
    ply.mutable_after()->set_winning_chance(number == 1 ? 0.1 : -0.8);
    ply.mutable_best_line()->add_pv_san("e5");
    ply.mutable_best_line()->add_pv_uci("e7e5");
    ply.set_judgement(number == 1 ? v1::JUDGEMENT_BEST : v1::JUDGEMENT_BLUNDER);
  }
  auto* fact = review.plies[2].add_facts();
  fact->set_kind(v1::MoveFact::KIND_MATE_ALLOWED);
  fact->set_mate_in_moves(2);
  v1::AnalyzeGameResponse::Summary& summary = review.summary;
  summary.set_complete(true);
  summary.add_moments(2);
  summary.mutable_white()->set_accuracy(98.76);
  summary.mutable_white()->set_moves(1);
  summary.mutable_black()->set_accuracy(12.3);
  auto* count = summary.mutable_black()->add_judgements();
  count->set_judgement(v1::JUDGEMENT_BLUNDER);
  count->set_count(1);
  summary.set_annotated_pgn("1. e4 f6 $4 {a < b} *\n");
  return review;
}

TEST(ReviewTextTest, TellsTheStoryOfTheGame) {
  const std::string text = ReviewText(Example(), 3, 80, Palette());
  EXPECT_THAT(text, HasSubstr("Game 3: Ann <b> - Bob & Co, 1-0, 2 plies\n"));
  EXPECT_THAT(text, HasSubstr("98.8 %"));
  EXPECT_THAT(text, HasSubstr("1... f6  blunder"));
  EXPECT_THAT(text, HasSubstr("-0.30  -4.00  e5"));
  EXPECT_THAT(text, HasSubstr("a mate was allowed (#2)"));
  EXPECT_THAT(text, Not(HasSubstr("cut short")));
}

TEST(ReviewTextTest, SaysWhatIsMissing) {
  ReviewOfGame review = Example();
  review.summary.set_complete(false);
  review.game.mutable_defect()->set_line(7);
  review.game.mutable_defect()->set_column(4);
  review.game.mutable_defect()->set_description("no such move");
  const std::string text = ReviewText(review, 1, 80, Palette());
  EXPECT_THAT(text, HasSubstr("line 7, column 4: no such move"));
  EXPECT_THAT(text, HasSubstr("cut short"));
}

TEST(SwingLineTest, GoesUpForWhite) {
  EXPECT_EQ(SwingLine(Example(), 80, false), "~#");
  EXPECT_EQ(SwingLine(Example(), 1, false), "#");
  EXPECT_EQ(SwingLine(Example(), 80, true), "▅█");
  EXPECT_EQ(SwingLine({}, 80, true), "");
}

TEST(ReviewPageTest, NeedsNothingFromElsewhere) {
  const std::string page = PageBegin() + PageGame(Example(), 1) + PageEnd();
  EXPECT_THAT(page, HasSubstr("Ann &lt;b&gt; - Bob &amp; Co"));
  EXPECT_THAT(page, HasSubstr("a &lt; b"));
  EXPECT_THAT(page, HasSubstr("<circle class=\"blunder\""));
  EXPECT_THAT(page, HasSubstr("♚"));
  for (const char* word : {"<script", "http:", "https:", "src=", "url("}) EXPECT_THAT(page, Not(HasSubstr(word)));
}

TEST(ProgressTextTest, TellsHowMuchIsLeft) {
  ReviewState state;
  state.games = 12;
  state.files_share = 0.4;
  state.current_share = 0.2;
  state.current.set_positions(50);
  state.current.set_total_positions(100);
  state.current.set_nodes(3'000'000);
  state.current.mutable_elapsed()->set_seconds(2);
  state.elapsed = absl::Seconds(100);
  const std::string text = ProgressText(state, 100);
  EXPECT_THAT(text, HasSubstr("] "));
  EXPECT_THAT(text, HasSubstr(" 50 %  12 games  1.50 M/s  1 min 40 s left"));
  EXPECT_LE(ProgressText(state, 40).size(), 40u);
}

TEST(EvaluationTextTest, DrawsTheTerms) {
  v1::EvaluateResponse response;
  auto* material = response.add_terms();
  material->set_kind(v1::EvaluateResponse::TERM_KIND_MATERIAL);
  material->mutable_white()->set_middlegame(300);
  material->mutable_black()->set_endgame(-20);
  material->set_value(-150);
  auto* tempo = response.add_terms();
  tempo->set_kind(v1::EvaluateResponse::TERM_KIND_TEMPO);
  tempo->set_value(75);
  response.set_sum(-75);
  response.set_side_to_move(v1::COLOR_BLACK);
  response.mutable_score()->set_centipawns(75);
  response.set_endgame_scale(500);
  response.set_evaluation("classical");
  response.set_status(v1::GAME_STATUS_ONGOING);
  const std::string text = EvaluationText(response, Palette());
  EXPECT_THAT(text, HasSubstr("material"));
  EXPECT_THAT(text, HasSubstr("+3.00 +0.00"));
  EXPECT_THAT(text, HasSubstr("====================|\n")) << "all the way for Black";
  EXPECT_THAT(text, HasSubstr("|==========\n")) << "half the way for White";
  EXPECT_THAT(text, HasSubstr("sum, for White"));
  EXPECT_THAT(text, HasSubstr("Black to move: +0.75"));
  EXPECT_THAT(text, HasSubstr("50 % of the endgame's lead counts"));
}

}  // namespace
}  // namespace kibitz::client
