#include "server/review/reviewed_game.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace kibitz::server {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Final = ReviewedGame::Final;

std::optional<TableVerdict> NoTables(const Position&, Move) { return std::nullopt; }

const Openings& NoOpenings() {
  static const Openings* const none = new Openings();
  return *none;
}

ReviewedGame Review(const std::string& pgn, const ReviewRules& rules = {}, const TableJudge& tables = NoTables,
                    const Openings& openings = NoOpenings()) {
  PgnReader reader(pgn);
  return ReviewedGame(*reader.NextReadable(), rules, {tables, openings});
}

// A result for the side to move.
Final Worth(int centipawns, const std::string& best = "a2a3") {
  Final final;
  v1::Line& line = *final.mutable_result()->add_lines();
  line.set_rank(1);
  line.mutable_score()->set_centipawns(centipawns);
  line.add_pv_uci(best);
  final.set_best_move(best);
  final.set_status(v1::GAME_STATUS_ONGOING);
  final.mutable_result()->set_nodes(100);
  final.mutable_provenance()->set_source(v1::Provenance::SOURCE_FRESH);
  final.mutable_provenance()->set_fresh(true);
  return final;
}

Final Mate(int moves, const std::string& best = "a2a3") {
  Final final = Worth(0, best);
  final.mutable_result()->mutable_lines(0)->mutable_score()->set_mate_in_moves(moves);
  return final;
}

// The review of the only move of a game that was worth so much before and after it, to the side to move each time.
v1::PlyReview JudgeOne(const Final& before, const Final& after, const ReviewRules& rules = {}) {
  ReviewedGame game = Review("1. e4 *", rules);
  EXPECT_TRUE(game.SetResult(1, after).empty());
  const std::vector<v1::PlyReview> reviews = game.SetResult(0, before);
  EXPECT_EQ(reviews.size(), 1u);
  return reviews.at(0);
}

std::vector<v1::MoveFact::Kind> FactsOf(const v1::PlyReview& review) {
  std::vector<v1::MoveFact::Kind> facts;
  for (const v1::MoveFact& fact : review.facts()) facts.push_back(fact.kind());
  return facts;
}

TEST(ReviewedGameTest, NeedsThePositionsAroundTheMoves) {
  EXPECT_THAT(Review("1. e4 e5 2. Nf3 *").positions(), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(Review("1. e4 e5 2. Nf3 Nc6 *", {.first_ply = 3, .last_ply = 3}).positions(), ElementsAre(2, 3));
  EXPECT_THAT(Review("1. e4 e5 2. Nf3 Nc6 *", {.white = false}).positions(), ElementsAre(1, 2, 3, 4));
  EXPECT_TRUE(Review("*").positions().empty());
  const v1::Position position = Review("1. e4 e5 2. Nf3 *").PositionAt(2);
  EXPECT_THAT(position.moves(), ElementsAre("e2e4", "e7e5"));
}

TEST(ReviewedGameTest, JudgesByWhatIsLost) {
  EXPECT_EQ(JudgeOne(Worth(30), Worth(-28)).judgement(), v1::JUDGEMENT_BEST);
  EXPECT_EQ(JudgeOne(Worth(30), Worth(10)).judgement(), v1::JUDGEMENT_GOOD);
  EXPECT_EQ(JudgeOne(Worth(30), Worth(40)).judgement(), v1::JUDGEMENT_INACCURACY);
  EXPECT_EQ(JudgeOne(Worth(30), Worth(100)).judgement(), v1::JUDGEMENT_MISTAKE);
  EXPECT_EQ(JudgeOne(Worth(30), Worth(300)).judgement(), v1::JUDGEMENT_BLUNDER);
  EXPECT_EQ(JudgeOne(Worth(500), Worth(10)).judgement(), v1::JUDGEMENT_MISSED_WIN);
  EXPECT_EQ(JudgeOne(Worth(500), Worth(300)).judgement(), v1::JUDGEMENT_BLUNDER) << "not only missed";
}

TEST(ReviewedGameTest, ThresholdsCanBeSet) {
  const ReviewRules strict = {.inaccuracy = 0.02, .mistake = 0.03, .blunder = 0.04};
  EXPECT_EQ(JudgeOne(Worth(30), Worth(-5), strict).judgement(), v1::JUDGEMENT_BLUNDER);
}

TEST(ReviewedGameTest, TheBestMoveLosesNothing) {
  const v1::PlyReview review = JudgeOne(Worth(30, "e2e4"), Worth(100));
  EXPECT_EQ(review.judgement(), v1::JUDGEMENT_BEST);
  EXPECT_EQ(review.loss(), 0);
  EXPECT_EQ(review.centipawn_loss(), 0);
  EXPECT_EQ(review.accuracy(), 100);
}

TEST(ReviewedGameTest, ValuesAreThoseOfTheSideThatMoves) {
  const v1::PlyReview review = JudgeOne(Worth(30), Worth(70));
  EXPECT_EQ(review.before().score().centipawns(), 30);
  EXPECT_EQ(review.after().score().centipawns(), -70);
  EXPECT_EQ(review.centipawn_loss(), 100);
  EXPECT_LT(review.after().winning_chance(), 0);
  EXPECT_NEAR(review.loss(), review.before().winning_chance() - review.after().winning_chance(), 1e-9);
  EXPECT_EQ(review.side(), v1::COLOR_WHITE);
  EXPECT_EQ(review.san(), "e4");
  EXPECT_EQ(review.move_number(), 1);
}

TEST(ReviewedGameTest, KnowsMatesThatWereMissedAndAllowed) {
  const v1::PlyReview missed = JudgeOne(Mate(3), Worth(-900));
  EXPECT_THAT(FactsOf(missed), ElementsAre(v1::MoveFact::KIND_MATE_MISSED));
  EXPECT_EQ(missed.facts(0).mate_in_moves(), 3);
  const v1::PlyReview allowed = JudgeOne(Worth(0), Mate(2));
  EXPECT_THAT(FactsOf(allowed), ElementsAre(v1::MoveFact::KIND_MATE_ALLOWED));
  EXPECT_EQ(allowed.facts(0).mate_in_moves(), 2);
  EXPECT_TRUE(FactsOf(JudgeOne(Mate(-3), Mate(2))).empty()) << "it was lost before";
  EXPECT_TRUE(FactsOf(JudgeOne(Mate(3), Mate(-5))).empty()) << "it is won still";
}

TEST(ReviewedGameTest, KnowsHowTheGameEnds) {
  Final mated;
  mated.set_status(v1::GAME_STATUS_CHECKMATE);
  ReviewedGame game = Review("1. f3 e5 2. g4 Qh4# 0-1", {.first_ply = 4});
  game.SetResult(3, Mate(1, "d8h4"));
  const std::vector<v1::PlyReview> reviews = game.SetResult(4, mated);
  ASSERT_EQ(reviews.size(), 1u);
  EXPECT_EQ(reviews[0].judgement(), v1::JUDGEMENT_BEST);
  EXPECT_THAT(FactsOf(reviews[0]), ElementsAre(v1::MoveFact::KIND_CHECKMATE));
  EXPECT_EQ(reviews[0].after().winning_chance(), 1);
  EXPECT_EQ(reviews[0].move_number(), 2);
  EXPECT_EQ(game.Summarize().status(), v1::GAME_STATUS_CHECKMATE);

  Final stalemate;
  stalemate.set_status(v1::GAME_STATUS_STALEMATE);
  ReviewedGame thrown = Review("[FEN \"7k/8/5KQ1/8/8/8/8/8 w - - 0 1\"]\n\n1. Kf7 *");
  thrown.SetResult(0, Mate(1, "g6g7"));
  const v1::PlyReview review = thrown.SetResult(1, stalemate).at(0);
  EXPECT_THAT(FactsOf(review), ElementsAre(v1::MoveFact::KIND_MATE_MISSED, v1::MoveFact::KIND_STALEMATE_GIVEN));
  EXPECT_EQ(review.judgement(), v1::JUDGEMENT_MISSED_WIN);
}

TEST(ReviewedGameTest, AsksTheEndgameTables) {
  const auto lost_win = [](const Position&, Move) -> std::optional<TableVerdict> {
    return TableVerdict{TableOutcome::kWin, TableOutcome::kDraw};
  };
  ReviewedGame game = Review("1. e4 *", {}, lost_win);
  game.SetResult(0, Worth(0));
  EXPECT_THAT(FactsOf(game.SetResult(1, Worth(0)).at(0)), ElementsAre(v1::MoveFact::KIND_TABLE_WIN_LOST));
}

TEST(ReviewedGameTest, AForcedMoveIsNobodysFault) {
  PgnReader reader("[FEN \"k7/8/8/8/8/8/1r6/K7 w - - 0 1\"]\n\n1. Kxb2 *");
  ReviewedGame forced(*reader.NextReadable(), {}, {NoTables, NoOpenings()});
  forced.SetResult(0, Worth(0, "a1b2"));
  const v1::PlyReview review = forced.SetResult(1, Worth(500)).at(0);
  EXPECT_EQ(review.judgement(), v1::JUDGEMENT_FORCED);
  EXPECT_EQ(review.loss(), 0);
}

TEST(ReviewedGameTest, SumsUp) {
  ReviewedGame game = Review("[White \"Ann\"]\n\n1. e4 {[%clk 0:05:00] mine} e5 2. Qh5 Ke7 3. Qxe5# 1-0");
  game.SetResult(0, Worth(30, "e2e4"));
  game.SetResult(1, Worth(-30, "e7e5"));
  game.SetResult(2, Worth(30, "g1f3"));
  game.SetResult(3, Worth(20, "b8c6"));
  game.SetResult(4, Mate(1, "h5e5"));
  Final mated;
  mated.set_status(v1::GAME_STATUS_CHECKMATE);
  game.SetResult(5, mated);
  const v1::AnalyzeGameResponse::Summary summary = game.Summarize();
  EXPECT_TRUE(summary.complete());
  EXPECT_EQ(summary.nodes(), 500);
  EXPECT_EQ(summary.result(), "1-0");
  EXPECT_EQ(summary.provenance().source(), v1::Provenance::SOURCE_MIXED) << "what is mated was not searched";
  EXPECT_EQ(summary.white().moves(), 3);
  EXPECT_EQ(summary.black().moves(), 2);
  EXPECT_GT(summary.white().accuracy(), summary.black().accuracy());
  EXPECT_THAT(summary.moments(), testing::Contains(4));
  EXPECT_EQ(summary.moments(0), 4);
  EXPECT_THAT(summary.annotated_pgn(), HasSubstr("[White \"Ann\"]"));
  EXPECT_THAT(summary.annotated_pgn(), HasSubstr("1. e4 {[%eval 0.30] [%clk 0:05:00] mine} 1... e5"));
  EXPECT_THAT(summary.annotated_pgn(), HasSubstr("Ke7 $4 {[%eval #1] Blunder."));
  EXPECT_THAT(summary.annotated_pgn(), HasSubstr("(2... Nc6)"));
}

// A move of a named opening is no discovery, but a mistake is one even there.
TEST(ReviewedGameTest, NamesTheOpening) {
  const Openings openings = *Openings::Parse(
      "[ECO \"C40\"]\n[Opening \"King's knight opening\"]\n\n1. e4 e5 2. Nf3 *\n\n"
      "[ECO \"C40\"]\n[Opening \"Damiano's defence\"]\n\n1. e4 e5 2. Nf3 f6 *\n");
  ReviewedGame game = Review("[White \"Ann\"]\n\n1. e4 e5 2. Nf3 f6 3. Nxe5 *", {}, NoTables, openings);
  for (const int position : {0, 1, 2, 3}) game.SetResult(position, Worth(position % 2 == 0 ? 30 : -30, "a2a3"));
  game.SetResult(4, Worth(350, "f3e5"));
  game.SetResult(5, Worth(-350, "d8e7"));
  const v1::AnalyzeGameResponse::Summary summary = game.Summarize();
  EXPECT_EQ(summary.opening().eco(), "C40");
  EXPECT_EQ(summary.opening().name(), "Damiano's defence");
  EXPECT_EQ(summary.opening().ply(), 4);
  EXPECT_THAT(summary.annotated_pgn(), HasSubstr("[Opening \"Damiano's defence\"]"));
  std::vector<v1::Judgement> white;
  for (const auto& count : summary.white().judgements()) white.push_back(count.judgement());
  EXPECT_THAT(white, testing::UnorderedElementsAre(v1::JUDGEMENT_BEST, v1::JUDGEMENT_BOOK));
  std::vector<v1::Judgement> black;
  for (const auto& count : summary.black().judgements()) black.push_back(count.judgement());
  EXPECT_THAT(black, testing::UnorderedElementsAre(v1::JUDGEMENT_BOOK, v1::JUDGEMENT_BLUNDER));
}

TEST(ReviewedGameTest, TellsThatSomethingIsMissing) {
  ReviewedGame game = Review("1. e4 e5 2. Nf3 *");
  game.SetResult(0, Worth(30));
  game.SetResult(1, Worth(-30));
  const v1::AnalyzeGameResponse::Summary summary = game.Summarize();
  EXPECT_FALSE(summary.complete());
  EXPECT_EQ(summary.white().moves(), 1);
  EXPECT_FALSE(summary.has_black());
}

}  // namespace
}  // namespace kibitz::server
