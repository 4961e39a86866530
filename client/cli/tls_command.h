// kibitz tls: certificates for a first try.

#ifndef KIBITZ_CLIENT_CLI_TLS_COMMAND_H_
#define KIBITZ_CLIENT_CLI_TLS_COMMAND_H_

#include <CLI/App.hpp>

#include "client/cli/exit_code.h"

namespace kibitz::client {

void AddTlsCommand(CLI::App& app, ExitCode& exit_code);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_TLS_COMMAND_H_
