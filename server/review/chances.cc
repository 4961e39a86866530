#include "server/review/chances.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace kibitz::server {
namespace {

constexpr int kMaxCentipawns = 1000;

double WinPercent(double chance) { return 50 + 50 * chance; }

double Deviation(std::vector<double>::const_iterator begin, std::vector<double>::const_iterator end) {
  double sum = 0;
  double squares = 0;
  for (auto value = begin; value != end; ++value) {
    sum += *value;
    squares += *value * *value;
  }
  const auto count = static_cast<double>(end - begin);
  return std::sqrt(std::max(0.0, squares / count - (sum / count) * (sum / count)));
}

// How much each move weighs: by how restless the game was around it.
std::vector<double> Weights(const std::vector<JudgedMove>& moves) {
  std::vector<double> percents = {WinPercent(moves.front().chance_before)};
  for (const JudgedMove& move : moves) percents.push_back(WinPercent(move.chance_after));
  const std::size_t window = std::min(percents.size(), std::clamp<std::size_t>(moves.size() / 10, 2, 8));
  std::vector<double> weights;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    // The window ends with the move, but for the first moves, which share one.
    const std::size_t last = std::max(i + 2, window);
    const auto end = percents.begin() + static_cast<std::ptrdiff_t>(last);
    weights.push_back(std::clamp(Deviation(end - static_cast<std::ptrdiff_t>(window), end), 0.5, 12.0));
  }
  return weights;
}

}  // namespace

double WinningChance(const v1::Score& score) {
  if (score.has_mate_in_moves()) return score.mate_in_moves() > 0 ? 1 : -1;
  return 2 / (1 + std::exp(-0.00368208 * score.centipawns())) - 1;
}

int BoundedCentipawns(const v1::Score& score) {
  if (score.has_mate_in_moves()) return score.mate_in_moves() > 0 ? kMaxCentipawns : -kMaxCentipawns;
  return std::clamp(score.centipawns(), -kMaxCentipawns, kMaxCentipawns);
}

v1::Score Negated(const v1::Score& score) {
  v1::Score negated = score;
  if (score.has_mate_in_moves()) {
    negated.set_mate_in_moves(-score.mate_in_moves());
  } else {
    negated.set_centipawns(-score.centipawns());
  }
  if (score.bound() == v1::Score::BOUND_LOWER) negated.set_bound(v1::Score::BOUND_UPPER);
  if (score.bound() == v1::Score::BOUND_UPPER) negated.set_bound(v1::Score::BOUND_LOWER);
  return negated;
}

v1::Wdl Negated(const v1::Wdl& wdl) {
  v1::Wdl negated = wdl;
  negated.set_win(wdl.loss());
  negated.set_loss(wdl.win());
  return negated;
}

double MoveAccuracy(double chance_before, double chance_after) {
  const double lost = WinPercent(chance_before) - WinPercent(chance_after);
  if (lost <= 0) return 100;
  return std::clamp(103.1668 * std::exp(-0.04354 * lost) - 3.1669 + 1, 0.0, 100.0);
}

double SideAccuracy(const std::vector<JudgedMove>& moves, bool white) {
  if (moves.empty()) return 100;
  const std::vector<double> weights = Weights(moves);
  double weighted = 0;
  double weight = 0;
  double inverse = 0;
  int count = 0;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (moves[i].white != white || !moves[i].counts) continue;
    weighted += weights[i] * moves[i].accuracy;
    weight += weights[i];
    inverse += 1 / std::max(1.0, moves[i].accuracy);
    ++count;
  }
  if (count == 0) return 100;
  return (weighted / weight + count / inverse) / 2;
}

}  // namespace kibitz::server
