#include "client/cli/position_input.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "client/cli/console.h"
#include "client/cli/failure.h"
#include "client/cli/line_input.h"

namespace kibitz::client {
namespace {

// What is asked for in one call: no more than comes back in a moment, nor than a server takes.
constexpr std::size_t kMaxGroup = 500;
constexpr std::size_t kMaxGroupBytes = 64 << 10;

v1::Position ToPosition(const PositionOptions& options, const std::string& fen) {
  v1::Position position;
  position.set_fen(fen);
  for (const std::string& move : SplitMoves(options.moves)) position.add_moves(move);
  if (options.chess960) position.set_variant(v1::VARIANT_CHESS960);
  return position;
}

// Positions of standard input, and the lines they stand in.
struct Lines {
  std::vector<int> numbers;
  std::vector<v1::Position> positions;
};

// Waits for a line. Nothing is under way meanwhile, so an interrupt may end the program on the spot.
bool ReadLine(const CommandContext& context, LineInput& input, std::string& line) {
  std::stop_callback leave(context.stop(), [] { std::_Exit(kExitInterrupted); });
  return input.Next(line);
}

// The next positions: one at least, unless it is the end, and as many more as are there already. `number` counts lines.
Lines ReadLines(const PositionOptions& options, const CommandContext& context, LineInput& input, int& number) {
  Lines lines;
  std::string line;
  std::size_t bytes = 0;
  while (lines.numbers.empty() || (lines.numbers.size() < kMaxGroup && bytes < kMaxGroupBytes && input.IsReady())) {
    if (!ReadLine(context, input, line)) break;
    ++number;
    const std::string fen(absl::StripAsciiWhitespace(line));
    if (fen.empty() || fen.front() == '#') continue;
    lines.numbers.push_back(number);
    lines.positions.push_back(ToPosition(options, fen));
    bytes += lines.positions.back().ByteSizeLong();
  }
  return lines;
}

std::string NameOf(const Lines& lines, std::size_t first) {
  if (first + 1 >= lines.numbers.size()) return fmt::format("line {}: ", lines.numbers.back());
  return fmt::format("lines {} to {}: ", lines.numbers[first], lines.numbers.back());
}

ExitCode ForEachLine(const PositionOptions& options, const CommandContext& context, const AnswerPositions& answer) {
  ExitCode worst = kExitOk;
  LineInput input(STDIN_FILENO);
  int number = 0;
  for (Lines lines = ReadLines(options, context, input, number); !lines.numbers.empty();
       lines = ReadLines(options, context, input, number)) {
    std::size_t answered = 0;
    const absl::Status end = answer(lines.positions, [&](const absl::Status& status) {
      const int line = lines.numbers[answered++];
      if (!status.ok()) {
        worst = ReportFailure(status, context.interrupted(), fmt::format("line {}: ", line));
      } else if (!context.json()) {
        Print("\n");
      }
    });
    if (end.ok() && context.interrupted()) return kExitInterrupted;
    if (end.ok()) continue;
    worst = ReportFailure(end, context.interrupted(), NameOf(lines, answered));
    if (worst == kExitInterrupted || absl::IsUnavailable(end)) break;
  }
  return worst;
}

}  // namespace

void AddPositionOptions(CLI::App& command, PositionOptions& options) {
  command.add_option("FEN", options.fen, "The position, quoted or not; - reads one from each line of standard input")
      ->type_name("")
      ->expected(0, -1);
  command.add_option("--moves", options.moves, "Moves played from it, in UCI notation: \"e2e4 e7e5\"")
      ->type_name("MOVES");
  command.add_flag("--chess960", options.chess960, "Play by the rules of Chess960");
}

std::vector<std::string> SplitMoves(const std::string& moves) {
  return absl::StrSplit(moves, absl::ByAnyChar(" \t\r\n"), absl::SkipEmpty());
}

std::string Describe(const v1::Position& position) {
  const std::string fen = position.fen().empty() ? "the starting position" : position.fen();
  return position.moves().empty() ? fen : fmt::format("{} after {}", fen, absl::StrJoin(position.moves(), " "));
}

AnswerPositions OneByOne(const CommandContext& context, std::function<absl::Status(const v1::Position&)> run) {
  return [&context, run = std::move(run)](const std::vector<v1::Position>& positions,
                                          const std::function<void(const absl::Status&)>& done) {
    for (const v1::Position& position : positions) {
      const absl::Status status = run(position);
      if (context.interrupted() || absl::IsUnavailable(status)) return status;
      done(status);
    }
    return absl::OkStatus();
  };
}

ExitCode ForEachPosition(const PositionOptions& options, const CommandContext& context,
                         const std::function<absl::Status(const v1::Position&)>& run) {
  return ForEachPosition(options, context, OneByOne(context, run));
}

ExitCode ForEachPosition(const PositionOptions& options, const CommandContext& context, const AnswerPositions& answer) {
  const std::string fen = absl::StrJoin(options.fen, " ");
  if (fen == "-") return ForEachLine(options, context, answer);
  absl::Status status;
  const absl::Status end = answer({ToPosition(options, fen)}, [&](const absl::Status& outcome) { status = outcome; });
  if (!end.ok()) status = end;
  if (!status.ok()) return ReportFailure(status, context.interrupted());
  return context.interrupted() ? kExitInterrupted : kExitOk;
}

}  // namespace kibitz::client
