// What the broker makes of a provider's UCI output: the JSON that the analysis board is shown.

#ifndef KIBITZ_TESTS_SUPPORT_LICHESS_EMISSION_H_
#define KIBITZ_TESTS_SUPPORT_LICHESS_EMISSION_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/board/position.h"

namespace kibitz::stand_in {

// The state of one analysis. As strict as the broker: a word that UCI does not know is an error.
class Emission {
 public:
  // `position` is the one that is analysed.
  explicit Emission(Position position) : position_(std::move(position)) {}

  // Takes one line. The result is what to show, if that has changed: once every line of play is there.
  absl::StatusOr<std::optional<nlohmann::json>> Take(absl::string_view line);

  // Whether the provider has said its best move.
  bool finished() const { return finished_; }
  // First lines with a bounded score, which the broker drops, and the lines of play that it cut short.
  int bounded() const { return bounded_; }
  int cut() const { return cut_; }

 private:
  struct Info {
    int multi_pv = 1;
    std::optional<int> depth, time;
    std::optional<std::int64_t> nodes;
    std::optional<int> cp, mate;
    bool is_bounded = false;
    std::optional<std::vector<std::string>> pv;
  };

  static absl::StatusOr<Info> Parse(const std::vector<absl::string_view>& words);
  absl::Status Update(const Info& info);
  // The moves that are legal, up to the first that is not; at most thirty.
  std::vector<std::string> Normalize(const std::vector<std::string>& pv);

  const Position position_;
  int time_ = 0;
  int depth_ = 0;
  std::int64_t nodes_ = 0;
  std::vector<std::optional<nlohmann::json>> pvs_;
  bool finished_ = false;
  int bounded_ = 0;
  int cut_ = 0;
};

}  // namespace kibitz::stand_in

#endif  // KIBITZ_TESTS_SUPPORT_LICHESS_EMISSION_H_
