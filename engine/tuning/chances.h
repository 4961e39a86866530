// Fits the curve from a score to the chances of a result.

#ifndef KIBITZ_ENGINE_TUNING_CHANCES_H_
#define KIBITZ_ENGINE_TUNING_CHANCES_H_

#include <vector>

#include "engine/tuning/record.h"

namespace kibitz::tuning {

// A win has the chance 1 / (1 + e^((even - score) / spread)), a loss the same with the score's sign changed.
struct Chances {
  double even = 0;        // the score at which half of the games are won
  double spread = 0;      // how fast certainty grows beyond it
  double likelihood = 0;  // the mean logarithm of the chance given to what happened
};

// The likeliest curve. Needs wins, draws and losses among the records.
Chances FitChances(const std::vector<Record>& records);

}  // namespace kibitz::tuning

#endif  // KIBITZ_ENGINE_TUNING_CHANCES_H_
