#include "client/cli/lichess_command.h"

#include "client/cli/lichess_bot_command.h"
#include "client/cli/lichess_engine_command.h"

namespace kibitz::client {

void AddLichessCommand(CLI::App& app, ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand("lichess", "Play on Lichess, or be an engine for its analysis board");
  command->require_subcommand(1);
  AddLichessBotCommand(*command, exit_code);
  AddLichessEngineCommand(*command, exit_code);
  for (CLI::App* each : command->get_subcommands({})) each->group("Commands");
}

}  // namespace kibitz::client
