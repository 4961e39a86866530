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
#include "engine/board/move.h"
#include "engine/board/position.h"
#include "engine/tuning/record.h"

namespace kibitz::tuning {

// What a line of UCI's "info" says of a line of play.
struct TaughtLine {
  int rank = 1;        // among the lines asked for, the best first
  int value = 0;       // in centipawns for the side to move, mates as Record::kMaxValue
  bool exact = false;  // rather than a mate or a bound
  std::string moves;   // as UCI has them
};

// Nothing if the line tells of no value.
std::optional<TaughtLine> ReadTaughtLine(absl::string_view line);

// A position and some of its legal moves.
struct Question {
  Position position;
  std::vector<Move> moves;
};

class Teacher {
 public:
  struct Options {
    std::string program = "stockfish";
    std::string limit = "depth 1";  // what follows "go"
    int hash_mb = 16;
    int lines = 1;  // the most moves of a question
  };

  static absl::StatusOr<Teacher> Start(const Options& options);

  // Its name and version, as it gives them.
  const std::string& name() const { return name_; }

  // Of both, all are sent at once, so their number is bound by what the engine reads ahead: a few hundred. A net does
  // not see how long ago the last capture was, so the engine is told that it was just now.

  // Replaces the values of the records by its own. Those whose best move is a capture, a promotion or a mate lose their
  // mark of being quiet.
  absl::Status Label(std::vector<Record>& records);

  // Follows its line after each of the moves to the end, and gives the positions there that are quiet, each with its
  // value: to depth 1 a line ends where there is nothing to take, so the value is that of the last position alone.
  absl::StatusOr<std::vector<Record>> FollowLines(const std::vector<Question>& questions);

 private:
  Teacher(std::unique_ptr<client::EngineProcess> process, std::string name, std::string limit)
      : process_(std::move(process)), name_(std::move(name)), limit_(std::move(limit)) {}

  // What follows its next "bestmove", with the last that was told of each line before.
  absl::StatusOr<std::string> ReadAnswer(std::vector<TaughtLine>& lines);

  std::unique_ptr<client::EngineProcess> process_;
  std::string name_;
  std::string limit_;
};

}  // namespace kibitz::tuning

#endif  // KIBITZ_ENGINE_TUNING_TEACHER_H_
