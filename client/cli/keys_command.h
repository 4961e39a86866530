// kibitz keys: who may call a server, and what each may have.

#ifndef KIBITZ_CLIENT_CLI_KEYS_COMMAND_H_
#define KIBITZ_CLIENT_CLI_KEYS_COMMAND_H_

#include <CLI/App.hpp>

#include "client/cli/exit_code.h"

namespace kibitz::client {

void AddKeysCommand(CLI::App& app, ExitCode& exit_code);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_KEYS_COMMAND_H_
