#include "client/cli/health_command.h"

#include <memory>

#include "client/cli/command_context.h"
#include "client/cli/console.h"
#include "client/cli/failure.h"

namespace kibitz::client {
namespace {

// Where a server listens that was told nothing else: a probe has no use for one inside its own process.
constexpr char kUsualServer[] = "127.0.0.1:50051";
// Supervisors give their probes a few seconds.
constexpr double kTimeoutSeconds = 3;

ExitCode RunHealth(CommonFlags flags) {
  if (flags.connection.server.empty()) flags.connection.server = kUsualServer;
  if (flags.timeout_seconds == 0) flags.timeout_seconds = kTimeoutSeconds;
  const auto context = CommandContext::Open(flags);
  if (!context.ok()) return ReportFailure(context.status(), /*interrupted=*/false);
  const auto serving = (*context)->client().IsServing((*context)->QuickCall());
  if (!serving.ok()) return ReportFailure(serving.status(), (*context)->interrupted());
  if (!*serving) {
    PrintError("the server at " + flags.connection.server + " is stopping", "");
    return kExitFailed;
  }
  Print(flags.json ? "{\"serving\":true}\n" : "serving\n");
  return kExitOk;
}

}  // namespace

void AddHealthCommand(CLI::App& app, ExitCode& exit_code) {
  auto flags = std::make_shared<CommonFlags>();
  CLI::App* command = app.add_subcommand("health", "Tell whether a server takes calls, for probes");
  AddCommonFlags(*command, *flags);
  command->footer(
      "Asks the server at 127.0.0.1:50051 unless told otherwise, for at most three seconds. It needs no key. The exit "
      "code is 0\nwhen the server is serving, 1 when it is stopping or does not answer.\n\n"
      "Examples:\n"
      "  kibitz health\n"
      "  kibitz health --server analysis.example:50051 --timeout 1");
  command->callback([flags, &exit_code] { exit_code = RunHealth(*flags); });
}

}  // namespace kibitz::client
