// `kibitz store`: looks after a server's file of results.

#ifndef KIBITZ_CLIENT_CLI_STORE_COMMAND_H_
#define KIBITZ_CLIENT_CLI_STORE_COMMAND_H_

#include <CLI/App.hpp>

#include "client/cli/exit_code.h"

namespace kibitz::client {

// Adds the command, which leaves its outcome in `exit_code`.
void AddStoreCommand(CLI::App& app, ExitCode& exit_code);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_STORE_COMMAND_H_
