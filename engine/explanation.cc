#include "engine/explanation.h"

#include "engine/eval/classical/classical_evaluator.h"
#include "engine/eval/classical/trace.h"

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

}  // namespace

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
