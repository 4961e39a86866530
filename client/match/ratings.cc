#include "client/match/ratings.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace kibitz::client {
namespace {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

constexpr double kQuantile95 = 1.959963984540054;
constexpr double kVirtualDraws = 0.25;

// By Gauss and Jordan. The matrix is symmetric and, with what Information adds to its diagonal, positive definite.
Matrix Inverse(Matrix matrix) {
  const std::size_t size = matrix.size();
  Matrix inverse(size, Vector(size, 0));
  for (std::size_t i = 0; i < size; ++i) inverse[i][i] = 1;
  for (std::size_t pivot = 0; pivot < size; ++pivot) {
    const double scale = 1 / matrix[pivot][pivot];
    for (std::size_t column = 0; column < size; ++column) {
      matrix[pivot][column] *= scale;
      inverse[pivot][column] *= scale;
    }
    for (std::size_t row = 0; row < size; ++row) {
      const double factor = matrix[row][pivot];
      if (row == pivot || factor == 0) continue;
      for (std::size_t column = 0; column < size; ++column) {
        matrix[row][column] -= factor * matrix[pivot][column];
        inverse[row][column] -= factor * inverse[pivot][column];
      }
    }
  }
  return inverse;
}

// The logarithm of the likelihood near some ratings: its slope and, with changed sign, its curvature.
struct Slope {
  Vector gradient;
  Matrix information;
};

Slope SlopeAt(const Vector& ratings, absl::Span<const PairResult> results, std::size_t anchor) {
  const double scale = std::log(10.0) / 400;
  Slope slope{.gradient = Vector(ratings.size(), 0), .information = Matrix(ratings.size(), Vector(ratings.size(), 0))};
  for (const PairResult& result : results) {
    const auto i = static_cast<std::size_t>(result.first);
    const auto j = static_cast<std::size_t>(result.second);
    const double games = static_cast<double>(result.won + result.drawn + result.lost) + kVirtualDraws;
    const double points = static_cast<double>(result.won) + (static_cast<double>(result.drawn) + kVirtualDraws) / 2;
    const double expected = ScoreOfElo(ratings[i] - ratings[j]);
    const double surplus = scale * (points - games * expected);
    const double weight = scale * scale * games * expected * (1 - expected);
    slope.gradient[i] += surplus;
    slope.gradient[j] -= surplus;
    slope.information[i][i] += weight;
    slope.information[j][j] += weight;
    slope.information[i][j] -= weight;
    slope.information[j][i] -= weight;
  }
  // The anchor is known; who has met nobody gets an error that says so.
  constexpr double kCertain = 1e6;
  constexpr double kHardlyAnything = 1e-9;
  for (std::size_t i = 0; i < ratings.size(); ++i) slope.information[i][i] += i == anchor ? kCertain : kHardlyAnything;
  slope.gradient[anchor] = 0;
  return slope;
}

}  // namespace

std::vector<Estimate> FitRatings(int players, absl::Span<const PairResult> results, int anchor) {
  const auto size = static_cast<std::size_t>(players);
  Vector ratings(size, 0);
  Matrix covariance;
  constexpr int kRounds = 200;
  constexpr double kMaxStep = 200;  // Newton's steps overshoot where all games were won
  for (int round = 0; round < kRounds; ++round) {
    const Slope slope = SlopeAt(ratings, results, static_cast<std::size_t>(anchor));
    covariance = Inverse(slope.information);
    double change = 0;
    for (std::size_t i = 0; i < size; ++i) {
      double step = 0;
      for (std::size_t j = 0; j < size; ++j) step += covariance[i][j] * slope.gradient[j];
      ratings[i] += std::clamp(step, -kMaxStep, kMaxStep);
      change = std::max(change, std::abs(step));
    }
    if (change < 1e-6) break;
  }
  std::vector<Estimate> estimates;
  for (std::size_t i = 0; i < size; ++i) {
    const bool is_anchor = i == static_cast<std::size_t>(anchor);
    estimates.push_back(
        {.value = is_anchor ? 0 : ratings[i], .error = is_anchor ? 0 : kQuantile95 * std::sqrt(covariance[i][i])});
  }
  return estimates;
}

}  // namespace kibitz::client
