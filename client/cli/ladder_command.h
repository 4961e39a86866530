// kibitz ladder: Kibitz and the engines that people know, on one rating scale.

#ifndef KIBITZ_CLIENT_CLI_LADDER_COMMAND_H_
#define KIBITZ_CLIENT_CLI_LADDER_COMMAND_H_

#include <CLI/App.hpp>

#include "client/cli/exit_code.h"

namespace kibitz::client {

void AddLadderCommand(CLI::App& app, ExitCode& exit_code);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_LADDER_COMMAND_H_
