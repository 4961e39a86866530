// kibitz: legal moves, move-path counts and analysis on the command line.

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>

#include "client/cli/analyze_command.h"
#include "client/cli/bench_command.h"
#include "client/cli/console.h"
#include "client/cli/doctor_command.h"
#include "client/cli/evaluate_command.h"
#include "client/cli/exit_code.h"
#include "client/cli/fishnet_command.h"
#include "client/cli/health_command.h"
#include "client/cli/info_command.h"
#include "client/cli/job_command.h"
#include "client/cli/keys_command.h"
#include "client/cli/ladder_command.h"
#include "client/cli/lichess_command.h"
#include "client/cli/manual_command.h"
#include "client/cli/match_command.h"
#include "client/cli/moves_command.h"
#include "client/cli/perft_command.h"
#include "client/cli/review_command.h"
#include "client/cli/store_command.h"
#include "client/cli/tls_command.h"
#include "client/cli/top_command.h"
#include "client/cli/uci_command.h"
#include "client/cli/usage.h"
#include "engine/version.h"

int main(int argc, char** argv) {
  using namespace kibitz::client;  // NOLINT: wiring only
  // A reader that has seen enough (`| head`) ends the program without a word, whatever the parent made of the signal.
  std::signal(SIGPIPE, SIG_DFL);
  // gRPC would log failed connections beside our own words. Whoever wants its log can still ask for it.
  setenv("GRPC_VERBOSITY", "NONE", /*overwrite=*/0);

  CLI::App app("Chess analysis on the command line.", "kibitz");
  app.set_version_flag("--version", kibitz::VersionAndBuild(), "Print the version and how it was built, and exit");
  ExitCode exit_code = kExitOk;
  AddMovesCommand(app, exit_code);
  AddPerftCommand(app, exit_code);
  AddAnalyzeCommand(app, exit_code);
  AddReviewCommand(app, exit_code);
  AddJobCommand(app, exit_code);
  AddEvaluateCommand(app, exit_code);
  AddUciCommand(app, exit_code);
  AddInfoCommand(app, exit_code);
  AddDoctorCommand(app, exit_code);
  AddHealthCommand(app, exit_code);
  AddTopCommand(app, exit_code);
  AddBenchCommand(app, exit_code);
  AddMatchCommand(app, exit_code);
  AddLadderCommand(app, exit_code);
  AddLichessCommand(app, exit_code);
  AddFishnetCommand(app, exit_code);
  AddManualCommands(app, exit_code);
  AddTlsCommand(app, exit_code);
  AddKeysCommand(app, exit_code);
  AddStoreCommand(app, exit_code);
  ExplainUsage(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    exit_code = ReportUsage(app, error);
  }
  return OutputIsComplete() ? exit_code : kExitFailed;
}
