// `kibitz info`: what a server is, what it allows and how busy it is.

#ifndef KIBITZ_CLIENT_CLI_INFO_COMMAND_H_
#define KIBITZ_CLIENT_CLI_INFO_COMMAND_H_

#include <CLI/App.hpp>

#include "client/cli/exit_code.h"

namespace kibitz::client {

// Adds the command, which leaves its outcome in `exit_code`.
void AddInfoCommand(CLI::App& app, ExitCode& exit_code);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_INFO_COMMAND_H_
