// `kibitz man` and `kibitz completion`: what is written about the program, from the declarations of its commands.

#ifndef KIBITZ_CLIENT_CLI_MANUAL_COMMAND_H_
#define KIBITZ_CLIENT_CLI_MANUAL_COMMAND_H_

#include <CLI/App.hpp>

#include "client/cli/exit_code.h"

namespace kibitz::client {

// Adds the commands, which leave their outcome in `exit_code`. They tell of all that the app has when they are run.
void AddManualCommands(CLI::App& app, ExitCode& exit_code);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_MANUAL_COMMAND_H_
