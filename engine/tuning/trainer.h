// Fits a net to positions with values and results.

#ifndef KIBITZ_ENGINE_TUNING_TRAINER_H_
#define KIBITZ_ENGINE_TUNING_TRAINER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/eval/nnue/network.h"
#include "engine/tuning/record.h"

namespace kibitz::tuning {

struct TrainerOptions {
  int threads = 1;
  std::uint64_t seed = 1;
  int batch = 16'384;
  std::int64_t positions = 100'000'000;  // to learn from in all; each may come many times
  double rate = 0.001;                   // at first, and falling to a hundredth of it
  double decay = 0.01;                   // of weights, AdamW's
  // How much of the target is the result, where there is one; the rest is the search's value.
  double result_share = 0.3;
  // The value, in the labels' centipawns, at which a side is expected to score 1 / (1 + 1/e); 0: fitted to the results.
  double scale = 0;
  // The same in our centipawns, so that the net speaks of pawns as we do, whoever gave the labels; 0: as the scale.
  double own_scale = 0;
};

struct TrainerProgress {
  std::int64_t positions = 0;  // learnt from so far
  double loss = 0;             // the mean square error since the last report
  double validation_loss = 0;  // of positions that are not learnt from
  double rate = 0;
  double positions_per_second = 0;
  double seconds_left = 0;
};

// The value at which results are as sigmoid(value / scale) says, by the least squares over positions with results.
double FitScale(const std::vector<Record>& records);

// The same net for the same records, options and number of threads.
class Trainer {
 public:
  Trainer(std::vector<Record> records, std::vector<Record> validation, const TrainerOptions& options);
  ~Trainer();

  // Learns, and tells now and then how it goes.
  void Run(const std::function<void(const TrainerProgress&)>& on_progress);

  // The net in whole numbers.
  std::unique_ptr<nnue::Network> Quantize() const;
  // The mean square error over the validation positions, of the net in real numbers.
  double ValidationLoss();

  double scale() const;

  // Where it stands, to go on later with the same records and options.
  absl::Status Save(const std::string& path) const;
  absl::Status Restore(const std::string& path);

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace kibitz::tuning

#endif  // KIBITZ_ENGINE_TUNING_TRAINER_H_
