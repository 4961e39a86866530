#include "engine/tuning/fit.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <thread>
#include <utility>

#include "engine/eval/classical/classical_evaluator.h"
#include "engine/eval/classical/evaluation_weights.h"

namespace kibitz::tuning {
namespace {

// Evaluations are whole numbers: a small move would be lost in their rounding.
constexpr int kMove = 8;

// The variance of a result that nothing foretells better, times the positions of a game, which have one result
// together.
constexpr double kDoubt = 0.05 * 30;

double WhiteEvaluation(const Position& position, const EvaluationWeights& weights) {
  const int value = ExplainEvaluation(position, weights).value;
  return position.side_to_move() == Color::kWhite ? value : -value;
}

}  // namespace

Fit::Fit(const Options& options) : options_(options) {
  for (std::size_t i = 0; i < weights_.size(); ++i) start_.push_back(weights_.Get(i));
}

absl::StatusOr<Fit> Fit::Make(const std::vector<Record>& records, const Options& options) {
  Fit fit(options);
  for (const Record& record : records) {
    absl::StatusOr<Position> position = Unpack(record);
    const Label label = LabelOf(record);
    if (!position.ok()) return position.status();
    if (!label.result) return absl::InvalidArgumentError("a position has no result");
    fit.points_.push_back(
        {*std::move(position), static_cast<double>(label.value), *label.result, *label.result, 0, {}});
  }
  if (fit.points_.empty()) return absl::InvalidArgumentError("there are no positions");
  fit.EvaluateAll([](Point& point, double evaluation) { point.evaluation = evaluation; });
  fit.FitScale();
  fit.SetTargets();
  return fit;
}

template <typename Use>
void Fit::EvaluateAll(const Use& use) {
  const EvaluationWeights weights(weights_.weights());
  std::vector<std::thread> threads;
  const std::size_t share = (points_.size() + options_.threads - 1) / static_cast<std::size_t>(options_.threads);
  for (std::size_t begin = 0; begin < points_.size(); begin += share) {
    threads.emplace_back([&, begin] {
      const std::size_t end = std::min(points_.size(), begin + share);
      for (std::size_t i = begin; i < end; ++i) use(points_[i], WhiteEvaluation(points_[i].position, weights));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

double Fit::Chance(double evaluation) const { return 1 / (1 + std::exp(-evaluation / scale_)); }

double Fit::Error() const {
  double sum = 0;
  for (const Point& point : points_) sum += std::pow(point.target - Chance(point.evaluation), 2);
  return sum / static_cast<double>(points_.size());
}

// The error has one valley over the scale: cut thirds off until it is found.
void Fit::FitScale() {
  double low = 50;
  double high = 800;
  const auto error_at = [&](double scale) {
    scale_ = scale;
    return Error();
  };
  while (high - low > 0.5) {
    const double third = (high - low) / 3;
    if (error_at(low + third) < error_at(high - third)) {
      high -= third;
    } else {
      low += third;
    }
  }
  scale_ = (low + high) / 2;
}

void Fit::SetTargets() {
  for (Point& point : points_) {
    point.target = (1 - options_.score_share) * point.result + options_.score_share * Chance(point.value);
  }
}

void Fit::MeasureSlopes() {
  for (Point& point : points_) point.slopes.clear();
  for (std::size_t weight = 0; weight < weights_.size(); ++weight) {
    const int before = weights_.Get(weight);
    weights_.Set(weight, before + kMove);
    EvaluateAll([weight](Point& point, double evaluation) {
      const auto slope = static_cast<float>((evaluation - point.evaluation) / kMove);
      if (slope != 0) point.slopes.push_back({static_cast<std::uint16_t>(weight), slope});
    });
    weights_.Set(weight, before);
  }
}

// Adam: steps that each weight's own history of gradients makes longer or shorter.
std::vector<double> Fit::Descend() const {
  constexpr double kMomentum = 0.9;
  constexpr double kMemory = 0.999;
  const double hold = scale_ * kDoubt / (options_.reach * options_.reach);
  std::vector<double> change(weights_.size());
  std::vector<double> first(weights_.size());
  std::vector<double> second(weights_.size());
  for (int step = 1; step <= options_.steps; ++step) {
    std::vector<double> gradient(weights_.size());
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      gradient[i] = hold * (weights_.Get(i) + change[i] - start_[i]);
    }
    for (const Point& point : points_) {
      double evaluation = point.evaluation;
      for (const Slope& slope : point.slopes) evaluation += slope.slope * change[slope.weight];
      const double chance = Chance(evaluation);
      const double pull = (chance - point.target) * chance * (1 - chance);
      for (const Slope& slope : point.slopes) gradient[slope.weight] += pull * slope.slope;
    }
    const double rate = options_.rate * (1 - 0.9 * step / options_.steps);
    for (std::size_t i = 0; i < change.size(); ++i) {
      first[i] = kMomentum * first[i] + (1 - kMomentum) * gradient[i];
      second[i] = kMemory * second[i] + (1 - kMemory) * gradient[i] * gradient[i];
      const double mean = first[i] / (1 - std::pow(kMomentum, step));
      const double spread = std::sqrt(second[i] / (1 - std::pow(kMemory, step)));
      if (spread > 0) change[i] -= rate * mean / spread;
    }
  }
  return change;
}

double Fit::Improve() {
  MeasureSlopes();
  const std::vector<double> change = Descend();
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    weights_.Set(i, weights_.Get(i) + static_cast<int>(std::lround(change[i])));
  }
  EvaluateAll([](Point& point, double evaluation) { point.evaluation = evaluation; });
  return Error();
}

}  // namespace kibitz::tuning
