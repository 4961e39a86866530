// A position of a game that was played, with what the search thought of it and how the game ended.

#ifndef KIBITZ_ENGINE_TUNING_SAMPLE_H_
#define KIBITZ_ENGINE_TUNING_SAMPLE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kibitz::tuning {

// All from White's point of view.
struct Sample {
  std::string fen;
  int value = 0;      // of the search, in centipawns as it reports them
  double result = 0;  // 1 when White won, 0.5 for a draw, 0 when Black won
};

// One line of text: the FEN, the value and the result (1, 0.5, 0), with tabs between them.
std::string ToLine(const Sample& sample);
absl::StatusOr<Sample> ParseSample(absl::string_view line);

}  // namespace kibitz::tuning

#endif  // KIBITZ_ENGINE_TUNING_SAMPLE_H_
