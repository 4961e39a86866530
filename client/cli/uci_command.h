// kibitz uci: an engine for chess GUIs and match runners.

#ifndef KIBITZ_CLIENT_CLI_UCI_COMMAND_H_
#define KIBITZ_CLIENT_CLI_UCI_COMMAND_H_

#include <CLI/App.hpp>

#include "client/cli/exit_code.h"

namespace kibitz::client {

void AddUciCommand(CLI::App& app, ExitCode& exit_code);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_UCI_COMMAND_H_
