// kibitz fishnet: the pool as a worker of a site's fishnet.

#ifndef KIBITZ_CLIENT_CLI_FISHNET_COMMAND_H_
#define KIBITZ_CLIENT_CLI_FISHNET_COMMAND_H_

#include <CLI/App.hpp>

#include "client/cli/exit_code.h"

namespace kibitz::client {

void AddFishnetCommand(CLI::App& app, ExitCode& exit_code);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_FISHNET_COMMAND_H_
