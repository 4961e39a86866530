// kibitz lichess bot: plays there.

#ifndef KIBITZ_CLIENT_CLI_LICHESS_BOT_COMMAND_H_
#define KIBITZ_CLIENT_CLI_LICHESS_BOT_COMMAND_H_

#include <CLI/App.hpp>

#include "client/cli/exit_code.h"

namespace kibitz::client {

void AddLichessBotCommand(CLI::App& lichess, ExitCode& exit_code);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_LICHESS_BOT_COMMAND_H_
