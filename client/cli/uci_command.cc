#include "client/cli/uci_command.h"

#include <memory>

#include "client/cli/session.h"
#include "client/uci/options.h"
#include "client/uci/run.h"

namespace kibitz::client {

void AddUciCommand(CLI::App& app, ExitCode& exit_code) {
  auto options = std::make_shared<uci::Options>();
  CLI::App* command = app.add_subcommand("uci", "Be a UCI engine for a chess GUI or a match runner");
  AddServerOption(*command, options->server);
  command->add_option("--token", options->token, "Tell the server who calls")
      ->type_name("TOKEN")
      ->envname("KIBITZ_TOKEN");
  command->footer(
      "Examples:\n"
      "  kibitz uci                                  an engine of its own\n"
      "  kibitz uci --server analysis.example:50051  a bridge: the GUI here, the search there\n"
      "  printf 'position startpos moves e2e4\\nd\\n' | kibitz uci\n"
      "\n"
      "Reads the commands of the Universal Chess Interface from standard input until \"quit\" or its end. The option\n"
      "Server can be set by the GUI as well; Hash and SyzygyPath then are for the server to decide. Beside the "
      "protocol\n"
      "it knows d (the board) and go perft N.");
  command->callback([options, &exit_code] {
    uci::RunUci(*options);
    exit_code = kExitOk;
  });
}

}  // namespace kibitz::client
