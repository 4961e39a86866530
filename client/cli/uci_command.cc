#include "client/cli/uci_command.h"

#include <memory>
#include <utility>

#include "client/cli/connection_flags.h"
#include "client/cli/failure.h"
#include "client/uci/options.h"
#include "client/uci/run.h"

namespace kibitz::client {
namespace {

ExitCode RunUciCommand(const ConnectionFlags& flags) {
  absl::StatusOr<ConnectionOptions> connection = ConnectionOf(flags);
  if (!connection.ok()) return ReportFailure(connection.status(), /*interrupted=*/false);
  uci::RunUci({.server = std::move(connection->server),
               .key = std::move(connection->key),
               .key_file = flags.key_file,
               .tls = std::move(connection->tls),
               .insecure = connection->insecure});
  return kExitOk;
}

}  // namespace

void AddUciCommand(CLI::App& app, ExitCode& exit_code) {
  auto flags = std::make_shared<ConnectionFlags>();
  CLI::App* command = app.add_subcommand("uci", "Be a UCI engine for a chess GUI or a match runner");
  AddConnectionFlags(*command, *flags);
  command->footer(
      "Examples:\n"
      "  kibitz uci                                  an engine of its own\n"
      "  kibitz uci --server analysis.example:50051  a bridge: the GUI here, the search there\n"
      "  kibitz uci --server analysis.example:50051 --tls-ca ca.pem --key-file key\n"
      "  printf 'position startpos moves e2e4\\nd\\n' | kibitz uci\n"
      "\n"
      "Reads the commands of the Universal Chess Interface from standard input until \"quit\" or its end. The options\n"
      "Server, Key File, Key, TLS and TLS CA File can be set by the GUI as well; Hash and SyzygyPath then are for the\n"
      "server to decide. Beside the protocol it knows d (the board) and go perft N.");
  command->callback([flags, &exit_code] { exit_code = RunUciCommand(*flags); });
}

}  // namespace kibitz::client
