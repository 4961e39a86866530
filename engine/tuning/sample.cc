#include "engine/tuning/sample.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace kibitz::tuning {

std::string ToLine(const Sample& sample) { return absl::StrCat(sample.fen, "\t", sample.value, "\t", sample.result); }

absl::StatusOr<Sample> ParseSample(absl::string_view line) {
  const std::vector<std::string> parts = absl::StrSplit(line, '\t');
  Sample sample;
  if (parts.size() != 3 || !absl::SimpleAtoi(parts[1], &sample.value) || !absl::SimpleAtod(parts[2], &sample.result) ||
      sample.result < 0 || sample.result > 1) {
    return absl::InvalidArgumentError("is not a FEN, a value and a result with tabs between them");
  }
  sample.fen = parts[0];
  return sample;
}

}  // namespace kibitz::tuning
