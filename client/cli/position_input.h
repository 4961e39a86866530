// The positions that a command is about: one from the command line, or one for each line of standard input.

#ifndef KIBITZ_CLIENT_CLI_POSITION_INPUT_H_
#define KIBITZ_CLIENT_CLI_POSITION_INPUT_H_

#include <CLI/App.hpp>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "client/cli/command_context.h"
#include "client/cli/exit_code.h"
#include "kibitz/v1/position.pb.h"

namespace kibitz::client {

struct PositionOptions {
  // The words of a FEN; none for the starting position; "-" alone for standard input.
  std::vector<std::string> fen;
  // UCI moves with spaces between them.
  std::string moves;
  bool chess960 = false;
};

// Adds FEN, --moves and --chess960 to a command.
void AddPositionOptions(CLI::App& command, PositionOptions& options);

// Calls `run` for each position. Its failures are printed, with the line they come from, and the other lines still have
// their turn, unless the server is gone or the user has interrupted. The worst outcome is the exit code. Between the
// answers to several lines there is an empty one, except in JSON.
ExitCode ForEachPosition(const PositionOptions& options, const CommandContext& context,
                         const std::function<absl::Status(const v1::Position&)>& run);

// Answers positions in their order: calls `done` for each with what came of it, or returns why it cannot go on.
using AnswerPositions = std::function<absl::Status(const std::vector<v1::Position>& positions,
                                                   const std::function<void(const absl::Status& status)>& done)>;

// Answers one after the other, and stops where the others would have no chance either. The context must outlive it.
AnswerPositions OneByOne(const CommandContext& context, std::function<absl::Status(const v1::Position&)> run);

// The same for a command that answers many positions at once: it is given as many lines as are there already.
ExitCode ForEachPosition(const PositionOptions& options, const CommandContext& context, const AnswerPositions& answer);

// The position as the user gave it, on one line: "the starting position after e2e4 e7e5".
std::string Describe(const v1::Position& position);

// Splits "e2e4 e7e5" at its spaces.
std::vector<std::string> SplitMoves(const std::string& moves);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_POSITION_INPUT_H_
