// Another engine that is asked for the values of positions.

#ifndef KIBITZ_ENGINE_TUNING_TEACHER_H_
#define KIBITZ_ENGINE_TUNING_TEACHER_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/match/engine_process.h"
#include "engine/tuning/record.h"

namespace kibitz::tuning {

// The value of a line of UCI's "info" in centipawns, mates as Record::kMaxValue; nothing if the line has none.
std::optional<int> ValueOfInfo(absl::string_view line);

class Teacher {
 public:
  struct Options {
    std::string program = "stockfish";
    std::string limit = "depth 1";  // what follows "go"
    int hash_mb = 16;
  };

  static absl::StatusOr<Teacher> Start(const Options& options);

  // Its name and version, as it gives them.
  const std::string& name() const { return name_; }

  // Replaces the values of the records by its own. All are sent at once, so their number is bound by what the engine
  // reads ahead: a few hundred.
  absl::Status Label(std::vector<Record>& records);

 private:
  Teacher(std::unique_ptr<client::EngineProcess> process, std::string name, std::string limit)
      : process_(std::move(process)), name_(std::move(name)), limit_(std::move(limit)) {}

  absl::StatusOr<int> ReadValue();

  std::unique_ptr<client::EngineProcess> process_;
  std::string name_;
  std::string limit_;
};

}  // namespace kibitz::tuning

#endif  // KIBITZ_ENGINE_TUNING_TEACHER_H_
