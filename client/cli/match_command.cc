#include "client/cli/match_command.h"

#include <memory>

#include "client/cli/match_flags.h"
#include "client/cli/match_run.h"

namespace kibitz::client {

void AddMatchCommand(CLI::App& app, ExitCode& exit_code) {
  auto flags = std::make_shared<MatchFlags>();
  CLI::App* command = app.add_subcommand("match", "Play engines against each other and measure the difference");
  AddMatchFlags(*command, *flags);
  command->footer(
      "Examples:\n"
      "  kibitz match --engine cmd=toga2 --each option.Hash=16 --tc 2+0.05 --games 20\n"
      "  kibitz match --engine cmd=./new --engine cmd=./old --tc 5+0.05 --games 20000 --concurrency 2 \\\n"
      "      --sprt elo0=0 elo1=5 --openings book.bin --pgn games.pgn\n"
      "  kibitz match --engine cmd=toga2 --engine \"cmd=gnuchess --uci\" --engine cmd=glaurung --depth 6 --json\n"
      "  ./kibitz match --against HEAD~1 --nodes 10000     this tree against the last commit, built aside\n"
      "\n"
      "A player is a UCI program, cmd=PROGRAM, one that speaks as xboard's engines do, cmd=PROGRAM protocol=xboard, "
      "or\n"
      "a server, server=HOST:PORT. It may have name=NAME arg=ARGUMENT dir=FOLDER option.NAME=VALUE, and limits of its\n"
      "own: tc=CLOCK st=SECONDS nodes=N depth=N margin=MS.\n"
      "\n"
      "Every opening is played twice, with changed colours. A player that crashes, hangs, loses on time or plays an\n"
      "illegal move loses the game, is started anew, and the match goes on. Ctrl-C ends the match; with --pgn the\n"
      "same command and --resume goes on with it.");
  command->callback([flags, &exit_code] { exit_code = RunMatch(*flags); });
}

}  // namespace kibitz::client
