#include "client/cli/position_input.h"

#include <fmt/format.h>

#include <cstdlib>
#include <iostream>

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "client/cli/console.h"
#include "client/cli/failure.h"

namespace kibitz::client {
namespace {

v1::Position ToPosition(const PositionOptions& options, const std::string& fen) {
  v1::Position position;
  position.set_fen(fen);
  for (const std::string& move : SplitMoves(options.moves)) position.add_moves(move);
  if (options.chess960) position.set_variant(v1::VARIANT_CHESS960);
  return position;
}

// Waits for a line. Nothing is under way meanwhile, so an interrupt may end the program on the spot.
bool ReadLine(const CommandContext& context, std::string& line) {
  std::stop_callback leave(context.stop(), [] { std::_Exit(kExitInterrupted); });
  return static_cast<bool>(std::getline(std::cin, line));
}

ExitCode ForEachLine(const PositionOptions& options, const CommandContext& context,
                     const std::function<absl::Status(const v1::Position&)>& run) {
  ExitCode worst = kExitOk;
  std::string line;
  for (int number = 1; ReadLine(context, line); ++number) {
    const std::string fen(absl::StripAsciiWhitespace(line));
    if (fen.empty() || fen.front() == '#') continue;
    const absl::Status status = run(ToPosition(options, fen));
    if (status.ok() && context.interrupted()) return kExitInterrupted;
    if (status.ok()) {
      if (!context.json()) Print("\n");
      continue;
    }
    worst = ReportFailure(status, context.interrupted(), fmt::format("line {}: ", number));
    if (worst == kExitInterrupted || absl::IsUnavailable(status)) break;
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

ExitCode ForEachPosition(const PositionOptions& options, const CommandContext& context,
                         const std::function<absl::Status(const v1::Position&)>& run) {
  const std::string fen = absl::StrJoin(options.fen, " ");
  if (fen == "-") return ForEachLine(options, context, run);
  const absl::Status status = run(ToPosition(options, fen));
  if (!status.ok()) return ReportFailure(status, context.interrupted());
  return context.interrupted() ? kExitInterrupted : kExitOk;
}

}  // namespace kibitz::client
