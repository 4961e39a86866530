#include "engine/search/score.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace kibitz {
namespace {

// The search's unit against the reported one: a lead that wins half of all games is reported as 100. This and the next
// are fitted to 2,000 games of the engine against itself at 5,000 nodes a move (`kibitz tune chances`); who thinks
// longer wins more with less.
constexpr int kUnitsPerPawn = 136;
// How fast certainty grows with the lead, in reported centipawns: the scale of a logistic curve.
constexpr int kLogisticScale = 94;
constexpr int kMaxLead = 1000;

// e^x by its series: exact enough for per mille, and the same on every machine because the compiler computes it.
constexpr double Exp(double x) {
  if (x < 0) return 1 / Exp(-x);
  double sum = 1;
  double term = 1;
  for (int i = 1; i < 100; ++i) sum += term *= x / i;
  return sum;
}

// The chance to win, in per mille, with a lead of -1000 to 1000 centipawns.
constexpr auto kWinChance = [] {
  std::array<std::int16_t, 2 * kMaxLead + 1> chances{};
  for (int lead = -kMaxLead; lead <= kMaxLead; ++lead) {
    chances[lead + kMaxLead] =
        static_cast<std::int16_t>(1000 / (1 + Exp(static_cast<double>(100 - lead) / kLogisticScale)) + 0.5);
  }
  return chances;
}();

int WinChance(int centipawns) { return kWinChance[std::clamp(centipawns, -kMaxLead, kMaxLead) + kMaxLead]; }

}  // namespace

Score Score::FromValue(Value value, Bound bound) {
  if (value > kMateThreshold) return {Kind::kMate, (kMateValue - value + 1) / 2, bound};
  if (value < -kMateThreshold) return {Kind::kMate, -(kMateValue + value) / 2, bound};
  // What a tablebase has promised is no lead: it keeps its distance from all that is.
  if (std::abs(value) > kTablebaseThreshold) return {Kind::kCentipawns, value, bound};
  return {Kind::kCentipawns, value * 100 / kUnitsPerPawn, bound};
}

Value Score::ToValue(const Score& score) {
  if (score.kind == Kind::kMate) return score.amount > 0 ? MateIn(2 * score.amount - 1) : MatedIn(-2 * score.amount);
  if (std::abs(score.amount) > kTablebaseThreshold) return std::clamp(score.amount, -kTablebaseWin, kTablebaseWin);
  const std::int64_t units = std::int64_t{score.amount} * kUnitsPerPawn / 100;
  return static_cast<Value>(std::clamp<std::int64_t>(units, -kMaxEvaluation, kMaxEvaluation));
}

double Score::ToCentipawns(double units) { return units * 100 / kUnitsPerPawn; }

Wdl Wdl::FromScore(const Score& score) {
  if (score.kind == Score::Kind::kMate) return score.amount > 0 ? Wdl{1000, 0, 0} : Wdl{0, 0, 1000};
  const int win = WinChance(score.amount);
  const int loss = WinChance(-score.amount);
  return {win, 1000 - win - loss, loss};
}

}  // namespace kibitz
