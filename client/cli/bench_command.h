// kibitz bench: fixed positions searched to a fixed depth, always alike.

#ifndef KIBITZ_CLIENT_CLI_BENCH_COMMAND_H_
#define KIBITZ_CLIENT_CLI_BENCH_COMMAND_H_

#include <CLI/App.hpp>

#include "client/cli/exit_code.h"

namespace kibitz::client {

void AddBenchCommand(CLI::App& app, ExitCode& exit_code);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_BENCH_COMMAND_H_
