// `kibitz job`: work that is given to a server, and asked for later.

#ifndef KIBITZ_CLIENT_CLI_JOB_COMMAND_H_
#define KIBITZ_CLIENT_CLI_JOB_COMMAND_H_

#include <CLI/App.hpp>

#include "client/cli/exit_code.h"

namespace kibitz::client {

// Adds the command, which leaves its outcome in `exit_code`.
void AddJobCommand(CLI::App& app, ExitCode& exit_code);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_JOB_COMMAND_H_
