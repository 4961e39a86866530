#include "server/review/reviewed_game.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/san.h"
#include "engine/board/uci_move.h"
#include "server/conversion/common.h"
#include "server/conversion/position.h"
#include "server/review/annotations.h"
#include "server/review/chances.h"
#include "server/review/phases.h"

namespace kibitz::server {
namespace {

using Wire = v1::AnalyzeGameResponse;

// So little is not worth a word: the move is as good as the best.
constexpr double kNothingLost = 0.05;
// From here on a game is won, and within this it is not decided.
constexpr double kWon = 0.5;
constexpr double kUndecided = 0.2;
// A side with such chances is better.
constexpr double kBetter = 0.2;
constexpr std::size_t kMaxMoments = 10;
// No named opening is longer.
constexpr int kMaxOpeningPlies = 60;
// Of a better line in the annotated game.
constexpr int kShownMoves = 10;

// What a position is worth to the side to move, or to the one that has moved.
v1::Assessment AssessmentOf(const ReviewedGame::Final& final, bool has_moved) {
  v1::Assessment assessment;
  const v1::AnalysisUpdate& result = final.result();
  if (!result.lines().empty()) {
    *assessment.mutable_score() = result.lines(0).score();
    *assessment.mutable_wdl() = result.lines(0).wdl();
  } else if (final.status() == v1::GAME_STATUS_CHECKMATE) {
    assessment.mutable_score()->set_mate_in_moves(0);
    assessment.mutable_wdl()->set_loss(1000);
  } else {
    assessment.mutable_score()->set_centipawns(0);
    assessment.mutable_wdl()->set_draw(1000);
  }
  double chance = WinningChance(assessment.score());
  if (has_moved) {
    *assessment.mutable_score() = Negated(assessment.score());
    *assessment.mutable_wdl() = Negated(assessment.wdl());
    chance = -chance;
  }
  assessment.set_winning_chance(chance);
  assessment.set_depth(result.depth());
  assessment.set_nodes(result.nodes());
  return assessment;
}

// Where both come from.
v1::Provenance Together(const v1::Provenance& a, const v1::Provenance& b) {
  v1::Provenance both = a;
  if (a.source() != b.source()) both.set_source(v1::Provenance::SOURCE_MIXED);
  both.set_fresh(a.fresh() && b.fresh());
  if (!a.has_stored_at() || (b.has_stored_at() && b.stored_at().seconds() < a.stored_at().seconds())) {
    if (b.has_stored_at()) *both.mutable_stored_at() = b.stored_at();
  }
  both.set_stored_depth(std::min(a.stored_depth(), b.stored_depth()));
  both.set_stored_nodes(std::min(a.stored_nodes(), b.stored_nodes()));
  return both;
}

bool IsMate(const v1::Score& score) { return score.has_mate_in_moves() && score.mate_in_moves() > 0; }
bool IsMated(const v1::Score& score) { return score.has_mate_in_moves() && score.mate_in_moves() <= 0; }

void AddFact(v1::MoveFact::Kind kind, int mate_in_moves, v1::PlyReview& review) {
  v1::MoveFact& fact = *review.add_facts();
  fact.set_kind(kind);
  fact.set_mate_in_moves(mate_in_moves);
}

// The glyph of a judgement; 0: it has none.
int GlyphOf(v1::Judgement judgement) {
  switch (judgement) {
    case v1::JUDGEMENT_INACCURACY:
      return 6;
    case v1::JUDGEMENT_MISTAKE:
    case v1::JUDGEMENT_MISSED_WIN:
      return 2;
    case v1::JUDGEMENT_BLUNDER:
      return 4;
    default:
      return 0;
  }
}

const char* NameOf(v1::Judgement judgement) {
  switch (judgement) {
    case v1::JUDGEMENT_INACCURACY:
      return "Inaccuracy";
    case v1::JUDGEMENT_MISTAKE:
      return "Mistake";
    case v1::JUDGEMENT_BLUNDER:
      return "Blunder";
    case v1::JUDGEMENT_MISSED_WIN:
      return "Missed win";
    default:
      return "";
  }
}

bool IsQualityGlyph(int glyph) { return glyph >= 1 && glyph <= 6; }

// Means over some moves of a side.
class Means {
 public:
  void Add(const v1::PlyReview& review) {
    ++moves_;
    centipawns_ += review.centipawn_loss();
    accuracy_ += review.accuracy();
  }
  int moves() const { return moves_; }
  double accuracy() const { return moves_ == 0 ? 100 : accuracy_ / moves_; }
  double centipawns() const { return moves_ == 0 ? 0 : centipawns_ / moves_; }

 private:
  int moves_ = 0;
  double accuracy_ = 0;
  double centipawns_ = 0;
};

}  // namespace

ReviewedGame::ReviewedGame(PgnGame game, const ReviewRules& rules, ReviewKnowledge knowledge)
    : game_(std::move(game)), rules_(rules), knowledge_(std::move(knowledge)), results_(game_.moves.size() + 1) {
  Position position = game_.start;
  v1::Phase phase = v1::PHASE_OPENING;
  for (const PgnMove& each : game_.moves) {
    const int number = static_cast<int>(plies_.size()) + 1;
    const bool white = position.side_to_move() == Color::kWhite;
    const MoveList legal = LegalMoves(position);
    phase = NextPhase(position.board(), phase);
    plies_.push_back(
        {.uci = ToUci(each.move, position.variant()),
         .san = ToSan(position, each.move, legal),
         .fen = ToFen(position),
         .move_number = position.fullmove_number(),
         .white = white,
         .forced = legal.size() == 1,
         .phase = phase,
         .judged = (white ? rules_.white : rules_.black) && number >= rules_.first_ply && number <= rules_.last_ply});
    position.MakeMove(each.move);
    position.ForgetUndo();
    if (const OpeningName* name = number <= kMaxOpeningPlies ? knowledge_.openings.Find(position) : nullptr) {
      opening_ = name;
      opening_ply_ = number;
    }
    if (!plies_.back().judged) continue;
    judged_.push_back(number);
    if (needed_.empty() || needed_.back() != number - 1) needed_.push_back(number - 1);
    needed_.push_back(number);
  }
}

std::string ReviewedGame::StartFen() const { return ToFen(game_.start); }

v1::Position ReviewedGame::PositionAt(int number) const {
  v1::Position position;
  position.set_fen(StartFen());
  if (game_.start.variant() == Variant::kChess960) position.set_variant(v1::VARIANT_CHESS960);
  for (int i = 0; i < number; ++i) position.add_moves(plies_[i].uci);
  return position;
}

std::vector<v1::PlyReview> ReviewedGame::SetResult(int number, const Final& final) {
  results_[number] = final;
  std::vector<v1::PlyReview> reviews;
  for (const int ply : {number, number + 1}) {
    if (ply < 1 || ply > static_cast<int>(plies_.size()) || !plies_[ply - 1].judged) continue;
    if (!results_[ply - 1].has_value() || !results_[ply].has_value()) continue;
    Judge(ply);
    reviews.push_back(*plies_[ply - 1].review);
  }
  return reviews;
}

void ReviewedGame::Judge(int number) {
  Ply& ply = plies_[number - 1];
  const Final& before = *results_[number - 1];
  const Final& after = *results_[number];
  v1::PlyReview review;
  review.set_ply(number);
  review.set_move_number(ply.move_number);
  review.set_side(ply.white ? v1::COLOR_WHITE : v1::COLOR_BLACK);
  review.set_uci(ply.uci);
  review.set_san(ply.san);
  review.set_fen(ply.fen);
  review.set_phase(ply.phase);
  *review.mutable_before() = AssessmentOf(before, /*has_moved=*/false);
  *review.mutable_after() = AssessmentOf(after, /*has_moved=*/true);
  for (int i = 0; i < before.result().lines_size(); ++i) {
    *(i == 0 ? review.mutable_best_line() : review.add_alternatives()) = before.result().lines(i);
  }
  *review.mutable_provenance() = Together(before.provenance(), after.provenance());
  if (const auto clock = ClockIn(game_.moves[number - 1].comment)) *review.mutable_clock() = ToWire(*clock);

  // Two searches never agree to the last centipawn: whoever plays the best move loses nothing.
  const bool lost_nothing = ply.forced || ply.uci == before.best_move();
  const double chance_before = review.before().winning_chance();
  const double chance_after = review.after().winning_chance();
  if (!lost_nothing) {
    review.set_loss(std::max(0.0, chance_before - chance_after));
    review.set_centipawn_loss(
        std::max(0, BoundedCentipawns(review.before().score()) - BoundedCentipawns(review.after().score())));
  }
  review.set_accuracy(lost_nothing ? 100 : MoveAccuracy(chance_before, chance_after));
  review.set_judgement(JudgementOf(ply, review));
  review.set_swing(review.loss() / 2);
  AddFacts(ply, review);
  ply.review = std::move(review);
}

v1::Judgement ReviewedGame::JudgementOf(const Ply& ply, const v1::PlyReview& review) const {
  if (ply.forced) return v1::JUDGEMENT_FORCED;
  const double after = review.after().winning_chance();
  const bool missed_win =
      review.before().winning_chance() >= kWon && std::abs(after) < kUndecided && review.loss() >= rules_.mistake;
  if (missed_win) return v1::JUDGEMENT_MISSED_WIN;
  if (review.loss() >= rules_.blunder) return v1::JUDGEMENT_BLUNDER;
  if (review.loss() >= rules_.mistake) return v1::JUDGEMENT_MISTAKE;
  if (review.loss() >= rules_.inaccuracy) return v1::JUDGEMENT_INACCURACY;
  if (review.ply() <= opening_ply_) return v1::JUDGEMENT_BOOK;
  return review.loss() < kNothingLost ? v1::JUDGEMENT_BEST : v1::JUDGEMENT_GOOD;
}

void ReviewedGame::AddFacts(const Ply& ply, v1::PlyReview& review) const {
  const v1::Score& before = review.before().score();
  const v1::Score& after = review.after().score();
  const v1::GameStatus status = results_[review.ply()]->status();
  const bool was_better = review.before().winning_chance() >= kBetter;
  if (status == v1::GAME_STATUS_CHECKMATE) return AddFact(v1::MoveFact::KIND_CHECKMATE, 0, review);
  if (IsMate(before) && !IsMate(after)) AddFact(v1::MoveFact::KIND_MATE_MISSED, before.mate_in_moves(), review);
  if (IsMated(after) && !IsMated(before)) AddFact(v1::MoveFact::KIND_MATE_ALLOWED, -after.mate_in_moves(), review);
  if (status == v1::GAME_STATUS_STALEMATE && was_better) AddFact(v1::MoveFact::KIND_STALEMATE_GIVEN, 0, review);
  if (status == v1::GAME_STATUS_THREEFOLD_REPETITION && was_better) {
    AddFact(v1::MoveFact::KIND_REPETITION_ALLOWED, 0, review);
  }
  const absl::StatusOr<Position> position = ParseFen(ply.fen, game_.start.variant());
  if (!position.ok()) return;
  const std::optional<TableVerdict> verdict = knowledge_.tables(*position, game_.moves[review.ply() - 1].move);
  if (!verdict.has_value()) return;
  if (verdict->best == TableOutcome::kWin && verdict->played != TableOutcome::kWin) {
    AddFact(v1::MoveFact::KIND_TABLE_WIN_LOST, 0, review);
  } else if (verdict->best == TableOutcome::kDraw && verdict->played == TableOutcome::kLoss) {
    AddFact(v1::MoveFact::KIND_TABLE_DRAW_LOST, 0, review);
  }
}

Wire::Side ReviewedGame::SummarizeSide(bool white) const {
  std::vector<JudgedMove> moves;
  Means all;
  Means phases[v1::Phase_ARRAYSIZE];
  int judgements[v1::Judgement_ARRAYSIZE] = {};
  for (const Ply& ply : plies_) {
    if (!ply.review.has_value()) continue;
    const v1::PlyReview& review = *ply.review;
    const int sign = ply.white ? 1 : -1;
    moves.push_back({.white = ply.white,
                     .chance_before = sign * review.before().winning_chance(),
                     .chance_after = sign * review.after().winning_chance(),
                     .accuracy = review.accuracy(),
                     .counts = !ply.forced});
    if (ply.white != white) continue;
    ++judgements[review.judgement()];
    all.Add(review);
    phases[review.phase()].Add(review);
  }
  Wire::Side side;
  side.set_accuracy(SideAccuracy(moves, white));
  side.set_average_centipawn_loss(all.centipawns());
  side.set_moves(all.moves());
  for (int phase = 0; phase < v1::Phase_ARRAYSIZE; ++phase) {
    if (phases[phase].moves() == 0) continue;
    Wire::Side::PhaseResult& result = *side.add_phases();
    result.set_phase(static_cast<v1::Phase>(phase));
    result.set_moves(phases[phase].moves());
    result.set_accuracy(phases[phase].accuracy());
    result.set_average_centipawn_loss(phases[phase].centipawns());
  }
  for (int judgement = 0; judgement < v1::Judgement_ARRAYSIZE; ++judgement) {
    if (judgements[judgement] == 0) continue;
    Wire::Side::JudgementCount& count = *side.add_judgements();
    count.set_judgement(static_cast<v1::Judgement>(judgement));
    count.set_count(judgements[judgement]);
  }
  return side;
}

std::vector<int> ReviewedGame::Moments() const {
  std::vector<int> moments;
  for (const Ply& ply : plies_) {
    if (ply.review.has_value() && ply.review->loss() >= rules_.inaccuracy) moments.push_back(ply.review->ply());
  }
  const auto swing = [&](int ply) { return plies_[ply - 1].review->swing(); };
  std::sort(moments.begin(), moments.end(),
            [&](int a, int b) { return swing(a) != swing(b) ? swing(a) > swing(b) : a < b; });
  if (moments.size() > kMaxMoments) moments.resize(kMaxMoments);
  return moments;
}

Wire::Summary ReviewedGame::Summarize() const {
  Wire::Summary summary;
  bool complete = true;
  std::int64_t nodes = 0;
  for (const std::optional<Final>& result : results_) {
    if (!result.has_value()) continue;
    nodes += result->result().nodes();
    if (!summary.has_provenance()) {
      *summary.mutable_provenance() = result->provenance();
    } else {
      *summary.mutable_provenance() = Together(summary.provenance(), result->provenance());
    }
  }
  for (const Ply& ply : plies_) complete = complete && (!ply.judged || ply.review.has_value());
  for (const bool white : {true, false}) {
    Wire::Side side = SummarizeSide(white);
    if (side.moves() > 0) *(white ? summary.mutable_white() : summary.mutable_black()) = std::move(side);
  }
  for (const int moment : Moments()) summary.add_moments(moment);
  if (opening_ != nullptr) {
    summary.mutable_opening()->set_eco(opening_->eco);
    summary.mutable_opening()->set_name(opening_->name);
    summary.mutable_opening()->set_ply(opening_ply_);
  }
  summary.set_annotated_pgn(Annotated());
  summary.set_complete(complete);
  summary.set_result(game_.result);
  Position position = game_.start;
  for (const PgnMove& each : game_.moves) position.MakeMove(each.move);
  summary.set_status(ToWire(position.Status()));
  summary.set_nodes(nodes);
  return summary;
}

std::vector<PgnLine> ReviewedGame::BetterLines(const Ply& ply, const Position& position) const {
  PgnLine line;
  Position here = position;
  for (const std::string& uci : ply.review->best_line().pv_uci()) {
    const absl::StatusOr<Move> move = ParseUciMove(here, uci);
    if (!move.ok() || static_cast<int>(line.size()) == kShownMoves) break;
    line.push_back({.move = *move, .comment = ""});
    here.MakeMove(*move);
  }
  if (line.empty()) return {};
  return {std::move(line)};
}

std::string ReviewedGame::Annotated() const {
  PgnGame annotated = game_;
  if (opening_ != nullptr) {
    if (game_.Tag("ECO").empty()) annotated.tags.emplace_back("ECO", opening_->eco);
    if (game_.Tag("Opening").empty()) annotated.tags.emplace_back("Opening", opening_->name);
  }
  Position position = game_.start;
  for (std::size_t i = 0; i < plies_.size(); ++i) {
    const Ply& ply = plies_[i];
    PgnMove& move = annotated.moves[i];
    if (ply.review.has_value()) {
      const v1::PlyReview& review = *ply.review;
      std::string comment = WithoutCommand(move.comment, "eval");
      // What is mated has no value but that.
      std::string ours = review.after().score().has_mate_in_moves() && review.after().score().mate_in_moves() == 0
                             ? ""
                             : absl::StrCat("[%eval ", EvalText(review.after().score(), ply.white), "]");
      const int glyph = GlyphOf(review.judgement());
      if (glyph != 0) {
        // Who has judged it already is left to do so.
        if (std::none_of(move.glyphs.begin(), move.glyphs.end(), IsQualityGlyph)) move.glyphs.push_back(glyph);
        absl::StrAppend(&ours, " ", NameOf(review.judgement()), ".");
        if (!review.best_line().pv_san().empty()) {
          absl::StrAppend(&ours, " ", review.best_line().pv_san(0), " was best.");
        }
        for (PgnLine& line : BetterLines(ply, position)) move.variations.push_back(std::move(line));
      }
      move.comment = absl::StrCat(ours, ours.empty() || comment.empty() ? "" : " ", comment);
    }
    position.MakeMove(move.move);
  }
  return ToPgn(annotated);
}

}  // namespace kibitz::server
