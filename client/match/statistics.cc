#include "client/match/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace kibitz::client {
namespace {

constexpr double kQuantile95 = 1.959963984540054;
// Normalised Elo is scaled so that it equals Elo where every game is decided and the players are near to each other.
const double kNormalizedEloUnit = 800 / std::log(10.0);

// A distribution of outcomes.
struct Distribution {
  std::vector<double> value;
  std::vector<double> probability;

  double Mean() const {
    double sum = 0;
    for (std::size_t i = 0; i < value.size(); ++i) sum += probability[i] * value[i];
    return sum;
  }
  double Variance() const {
    const double mean = Mean();
    double sum = 0;
    for (std::size_t i = 0; i < value.size(); ++i) sum += probability[i] * (value[i] - mean) * (value[i] - mean);
    return sum;
  }
};

double Total(OutcomeCounts counts) {
  double total = 0;
  for (const std::int64_t count : counts) total += static_cast<double>(count);
  return total;
}

int GamesPerOutcome(OutcomeCounts counts) { return static_cast<int>(counts.size() - 1) / 2; }

Distribution Observed(absl::Span<const double> counts) {
  Distribution result;
  double total = 0;
  for (const double count : counts) total += count;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    result.value.push_back(static_cast<double>(i) / static_cast<double>(counts.size() - 1));
    result.probability.push_back(counts[i] / total);
  }
  return result;
}

Distribution Observed(OutcomeCounts counts) { return Observed(std::vector<double>(counts.begin(), counts.end())); }

// The most likely distribution with mean 0 over `value`, given what was observed: p_i = observed_i / (1 + x value_i)
// with the x that makes the mean 0. That is a falling function of x between two poles, so bisection finds it.
std::vector<double> MostLikelyWithMeanZero(const std::vector<double>& value, const std::vector<double>& observed) {
  const auto [min, max] = std::minmax_element(value.begin(), value.end());
  double low = -1 / *max;
  double high = -1 / *min;
  constexpr int kBisections = 100;
  for (int step = 0; step < kBisections; ++step) {
    const double middle = (low + high) / 2;
    double mean = 0;
    for (std::size_t i = 0; i < value.size(); ++i) mean += observed[i] * value[i] / (1 + middle * value[i]);
    (mean > 0 ? low : high) = middle;
  }
  const double x = (low + high) / 2;
  std::vector<double> result;
  for (std::size_t i = 0; i < value.size(); ++i) result.push_back(observed[i] / (1 + x * value[i]));
  return result;
}

std::vector<double> MostLikelyWithMean(const Distribution& observed, double mean) {
  std::vector<double> shifted;
  for (const double value : observed.value) shifted.push_back(value - mean);
  return MostLikelyWithMeanZero(shifted, observed.probability);
}

// The most likely distribution whose mean is `t` standard deviations above one half. The condition is not linear in the
// probabilities; each round makes it linear at the distribution found last, and a few rounds settle it.
std::vector<double> MostLikelyWithNormalizedMean(const Distribution& observed, double t) {
  Distribution current = observed;
  std::fill(current.probability.begin(), current.probability.end(), 1.0 / static_cast<double>(observed.value.size()));
  constexpr int kRounds = 50;
  for (int round = 0; round < kRounds; ++round) {
    const double mean = current.Mean();
    const double deviation = std::sqrt(current.Variance());
    std::vector<double> linear;
    for (const double value : observed.value) {
      const double z = (mean - value) / deviation;
      linear.push_back(value - 0.5 - t * deviation * (1 + z * z) / 2);
    }
    std::vector<double> next = MostLikelyWithMeanZero(linear, observed.probability);
    double change = 0;
    for (std::size_t i = 0; i < next.size(); ++i) {
      change = std::max(change, std::abs(next[i] - current.probability[i]));
    }
    current.probability = std::move(next);
    if (change < 1e-12) break;
  }
  return current.probability;
}

}  // namespace

double EloOfScore(double score) { return -400 * std::log10(1 / score - 1); }

double ScoreOfElo(double elo) { return 1 / (1 + std::pow(10, -elo / 400)); }

double MeanScore(OutcomeCounts counts) { return Total(counts) == 0 ? 0.5 : Observed(counts).Mean(); }

Estimate Elo(OutcomeCounts counts) {
  const double total = Total(counts);
  if (total == 0) return {.value = 0, .error = std::numeric_limits<double>::infinity()};
  const Distribution observed = Observed(counts);
  const double mean = observed.Mean();
  const double error = kQuantile95 * std::sqrt(observed.Variance() / total);
  const double low = EloOfScore(std::max(0.0, mean - error));
  const double high = EloOfScore(std::min(1.0, mean + error));
  return {.value = EloOfScore(mean), .error = (high - low) / 2};
}

Estimate NormalizedElo(OutcomeCounts counts) {
  const double games = Total(counts) * GamesPerOutcome(counts);
  if (games == 0) return {.value = 0, .error = std::numeric_limits<double>::infinity()};
  const Distribution observed = Observed(counts);
  const double deviation_of_game = std::sqrt(observed.Variance() * GamesPerOutcome(counts));
  const double advantage = observed.Mean() - 0.5;
  const double t = advantage == 0 ? 0 : advantage / deviation_of_game;
  return {.value = t * kNormalizedEloUnit, .error = kQuantile95 / std::sqrt(games) * kNormalizedEloUnit};
}

double LikelihoodOfSuperiority(OutcomeCounts counts) {
  const double total = Total(counts);
  if (total == 0) return 0.5;
  const Distribution observed = Observed(counts);
  const double advantage = observed.Mean() - 0.5;
  if (advantage == 0) return 0.5;
  return std::erfc(-advantage / std::sqrt(2 * observed.Variance() / total)) / 2;
}

double Sprt::LowerBound() const { return std::log(beta / (1 - alpha)); }

double Sprt::UpperBound() const { return std::log((1 - beta) / alpha); }

double Sprt::LogLikelihoodRatio(OutcomeCounts counts) const {
  if (Total(counts) == 0) return 0;
  // An outcome that has not come yet is not impossible.
  constexpr double kUnseen = 1e-3;
  std::vector<double> regular;
  double total = 0;
  for (const std::int64_t count : counts) {
    regular.push_back(count == 0 ? kUnseen : static_cast<double>(count));
    total += regular.back();
  }
  const Distribution observed = Observed(regular);
  const auto hypothesis = [&](double elo) {
    if (model == Model::kLogistic) return MostLikelyWithMean(observed, ScoreOfElo(elo));
    return MostLikelyWithNormalizedMean(observed, elo / kNormalizedEloUnit * std::sqrt(GamesPerOutcome(counts)));
  };
  const std::vector<double> p0 = hypothesis(elo0);
  const std::vector<double> p1 = hypothesis(elo1);
  double ratio = 0;
  for (std::size_t i = 0; i < regular.size(); ++i) ratio += observed.probability[i] * std::log(p1[i] / p0[i]);
  return ratio * total;
}

Sprt::Verdict Sprt::Judge(OutcomeCounts counts) const {
  const double ratio = LogLikelihoodRatio(counts);
  if (ratio >= UpperBound()) return Verdict::kAcceptElo1;
  if (ratio <= LowerBound()) return Verdict::kAcceptElo0;
  return Verdict::kOpen;
}

}  // namespace kibitz::client
