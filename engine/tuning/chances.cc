#include "engine/tuning/chances.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace kibitz::tuning {
namespace {

// Scores beyond this say nothing more, and are rounded so that equal ones can be counted together.
constexpr int kMaxScore = 800;
constexpr int kStep = 5;

struct Counts {
  double wins = 0;
  double draws = 0;
  double losses = 0;
};

double Win(double score, double even, double spread) { return 1 / (1 + std::exp((even - score) / spread)); }

double Likelihood(const std::map<int, Counts>& games, double even, double spread) {
  double sum = 0;
  double total = 0;
  for (const auto& [score, counts] : games) {
    const double win = std::clamp(Win(score, even, spread), 1e-6, 1.0);
    const double loss = std::clamp(Win(-score, even, spread), 1e-6, 1.0);
    const double draw = std::max(1e-6, 1 - win - loss);
    sum += counts.wins * std::log(win) + counts.draws * std::log(draw) + counts.losses * std::log(loss);
    total += counts.wins + counts.draws + counts.losses;
  }
  return sum / total;
}

}  // namespace

Chances FitChances(const std::vector<Record>& records) {
  std::map<int, Counts> games;
  for (const Record& record : records) {
    const int score = std::clamp<int>(record.value, -kMaxScore, kMaxScore) / kStep * kStep;
    Counts& counts = games[score];
    const int half_points = record.HalfPoints();
    if (half_points == Record::kNoResult) continue;
    (half_points == 2 ? counts.wins : half_points == 0 ? counts.losses : counts.draws) += 1;
  }
  // A walk with ever smaller steps: there are two numbers and one top.
  Chances best{100, 60, Likelihood(games, 100, 60)};
  for (double step = 32; step > 0.1; step /= 2) {
    for (bool better = true; better;) {
      better = false;
      for (const auto& [even, spread] : {std::pair(step, 0.0), {-step, 0.0}, {0.0, step}, {0.0, -step}}) {
        if (best.spread + spread < 5) continue;
        const double likelihood = Likelihood(games, best.even + even, best.spread + spread);
        if (likelihood <= best.likelihood) continue;
        best = {best.even + even, best.spread + spread, likelihood};
        better = true;
      }
    }
  }
  return best;
}

}  // namespace kibitz::tuning
