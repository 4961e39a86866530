#include "engine/explanation.h"

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "engine/engine.h"
#include "engine/eval/classical/classical_evaluator.h"
#include "engine/eval/classical/trace.h"
#include "engine/eval/evaluator.h"

namespace kibitz {
namespace {

static_assert(static_cast<int>(ExplainedTerm::kSpace) == static_cast<int>(kibitz::Term::kSpace),
              "the terms of the classical evaluation come first, in its order");

Explanation::Share ToShare(Tapered units) {
  return {Score::ToCentipawns(units.middlegame()), Score::ToCentipawns(units.endgame())};
}

// What a lead is worth between middlegame and endgame, in the evaluation's units.
double Blend(Tapered lead, int phase) {
  return static_cast<double>(lead.middlegame() * phase + lead.endgame() * (kFullPhase - phase)) / kFullPhase;
}

// The value for the side to move.
int ValueOf(Evaluator& evaluator, const Position& position) {
  evaluator.Reset(position);
  return evaluator.Evaluate(position);
}

double WhitesLead(int value, Color side_to_move) {
  return Score::ToCentipawns(side_to_move == Color::kWhite ? value : -value);
}

// An error if it would not be legal.
absl::StatusOr<Position> Without(const Position& position, Square square) {
  Setup setup{.board = position.board(), .variant = position.variant(), .halfmove_clock = position.halfmove_clock()};
  const Piece piece = position.PieceOn(square);
  setup.board.by_color[Index(piece.color())] &= ~Bit(square);
  setup.board.by_type[Index(piece.type())] &= ~Bit(square);
  setup.board.castling_rooks &= ~Bit(square);
  setup.board.en_passant = Square::kNone;
  return Position::FromSetup(setup);
}

}  // namespace

std::optional<NetExplanation> ExplainNet(const Position& position) {
  const EvaluatorKind& kind = DefaultEvaluator();
  if (kind.name == ClassicalKind().name) return std::nullopt;
  const std::unique_ptr<Evaluator> evaluator = kind.make();
  const Color us = position.side_to_move();
  const int value = ValueOf(*evaluator, position);
  NetExplanation explanation{
      .name = kind.name, .lead = WhitesLead(value, us), .score = Score::FromValue(value), .pieces = {}};
  const Board& board = position.board();
  for (const Square square : Squares(board.Occupied() & ~board.Of(PieceType::kKing))) {
    const absl::StatusOr<Position> without = Without(position, square);
    if (!without.ok()) continue;
    const double lead = WhitesLead(ValueOf(*evaluator, *without), us);
    explanation.pieces.push_back({.square = square, .value = explanation.lead - lead});
  }
  return explanation;
}

Explanation Explain(const Position& position) {
  const EvaluationTrace trace = ExplainEvaluation(position);
  const int sign = position.side_to_move() == Color::kWhite ? 1 : -1;
  Explanation explanation;
  const auto set = [&](ExplainedTerm term, double units) {
    explanation.terms[static_cast<int>(term)].value = Score::ToCentipawns(units);
  };

  double blended = 0;
  for (int i = 0; i < kNumTerms; ++i) {
    const auto& shares = trace.terms[i];
    const double value = Blend(shares[Index(Color::kWhite)] - shares[Index(Color::kBlack)], trace.phase);
    blended += value;
    explanation.terms[i] = {.has_shares = true,
                            .shares = {ToShare(shares[Index(Color::kWhite)]), ToShare(shares[Index(Color::kBlack)])},
                            .value = Score::ToCentipawns(value)};
  }
  // The rest is what these terms, in whole numbers, do not account for.
  set(ExplainedTerm::kTempo, sign * trace.tempo);
  set(ExplainedTerm::kEndgame, trace.lead - blended);
  set(ExplainedTerm::kFiftyMoves, sign * (trace.value - trace.tempo) - trace.lead);
  explanation.sum = Score::ToCentipawns(sign * trace.value);
  explanation.score = Score::FromValue(trace.value);
  explanation.phase = trace.phase * 1000 / kFullPhase;
  explanation.endgame_scale = trace.scale * 1000 / kFullScale;
  return explanation;
}

}  // namespace kibitz
