// Fits the evaluation's weights to the results of games.

#ifndef KIBITZ_ENGINE_TUNING_FIT_H_
#define KIBITZ_ENGINE_TUNING_FIT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/board/position.h"
#include "engine/tuning/record.h"
#include "engine/tuning/weight_list.h"

namespace kibitz::tuning {

// Looks for the weights whose evaluations foretell the results best: the smallest mean square of the result less
// 1 / (1 + e^(-evaluation / scale)).
//
// How each weight moves each evaluation is measured, by evaluating with the weight moved a little; so the evaluation
// may be written in any way. In between, the evaluation is taken for linear and the weights descend its gradient.
// What the games say little about stays where it was: a weight is held there by as much as its expected reach allows.
class Fit {
 public:
  struct Options {
    int threads = 1;
    int steps = 400;           // of the descent, in each round
    double rate = 0.5;         // how far a weight moves in a step at first
    double reach = 20;         // how far a weight is expected to lie from where it was, in its own units
    double score_share = 0.3;  // how much of the target is what the search thought rather than the result
  };

  // Fails when a record is no position, or has no result.
  static absl::StatusOr<Fit> Make(const std::vector<Record>& records, const Options& options);

  // The mean square error with the weights as they are.
  double Error() const;
  double scale() const { return scale_; }

  // One round: measures, descends, and sets the weights. Gives the error after it.
  double Improve();

  WeightList& weights() { return weights_; }

 private:
  struct Slope {
    std::uint16_t weight;
    float slope;
  };
  struct Point {
    Position position;
    double value;  // of the search, White's
    double result;
    double target;
    double evaluation;  // White's, with the weights as they are
    std::vector<Slope> slopes;
  };

  explicit Fit(const Options& options);

  // Evaluates all points anew, and calls `use` with each and its evaluation. In threads.
  template <typename Use>
  void EvaluateAll(const Use& use);
  void FitScale();
  void SetTargets();
  void MeasureSlopes();
  std::vector<double> Descend() const;
  double Chance(double evaluation) const;

  Options options_;
  WeightList weights_;
  std::vector<int> start_;  // what they were at first
  std::vector<Point> points_;
  double scale_ = 200;
};

}  // namespace kibitz::tuning

#endif  // KIBITZ_ENGINE_TUNING_FIT_H_
