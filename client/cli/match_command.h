// kibitz match: players against each other, and what the results say.

#ifndef KIBITZ_CLIENT_CLI_MATCH_COMMAND_H_
#define KIBITZ_CLIENT_CLI_MATCH_COMMAND_H_

#include <CLI/App.hpp>

#include "client/cli/exit_code.h"

namespace kibitz::client {

void AddMatchCommand(CLI::App& app, ExitCode& exit_code);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_MATCH_COMMAND_H_
