// kibitz lichess engine: the pool as an external engine of Lichess's analysis board.

#ifndef KIBITZ_CLIENT_CLI_LICHESS_ENGINE_COMMAND_H_
#define KIBITZ_CLIENT_CLI_LICHESS_ENGINE_COMMAND_H_

#include <CLI/App.hpp>

#include "client/cli/exit_code.h"

namespace kibitz::client {

void AddLichessEngineCommand(CLI::App& lichess, ExitCode& exit_code);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_LICHESS_ENGINE_COMMAND_H_
