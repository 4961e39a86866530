// kibitz lichess: what a Kibitz can be on Lichess, a command each.

#ifndef KIBITZ_CLIENT_CLI_LICHESS_COMMAND_H_
#define KIBITZ_CLIENT_CLI_LICHESS_COMMAND_H_

#include <CLI/App.hpp>

#include "client/cli/exit_code.h"

namespace kibitz::client {

void AddLichessCommand(CLI::App& app, ExitCode& exit_code);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_LICHESS_COMMAND_H_
