#include "client/cli/ladder_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "client/cli/console.h"
#include "client/cli/failure.h"
#include "client/cli/match_flags.h"
#include "client/cli/match_run.h"
#include "client/match/engine_process.h"
#include "client/match/ladder.h"
#include "client/match/match_archive.h"

namespace kibitz::client {
namespace {

constexpr char kOwnName[] = "kibitz";
constexpr char kBook[] = "/usr/share/games/gnuchess/book.bin";

struct LadderFlags {
  MatchFlags match;
  std::vector<std::string> engines;
  std::vector<std::string> fit_only;
  std::string docs = "docs";
};

struct KnownEngine {
  const char* name;
  std::vector<std::string> settings;
};

std::vector<std::string> LimitedStockfish(int elo) {
  return {"cmd=stockfish", "option.UCI_LimitStrength=true", fmt::format("option.UCI_Elo={}", elo)};
}

// Debian's. glaurung would take all processors, and answers late now and then.
std::vector<KnownEngine> KnownEngines() {
  return {{"fairymax", {"cmd=fairymax", "protocol=xboard"}},
          {"gnuchess", {"cmd=gnuchess --uci"}},
          {"glaurung", {"cmd=glaurung", "margin=150", "option.Threads=1", "option.Ponder=false"}},
          {"toga2", {"cmd=toga2"}},
          {"ethereal", {"cmd=ethereal-chess"}},
          {"stockfish-1350", LimitedStockfish(1350)},
          {"stockfish-2000", LimitedStockfish(2000)},
          {"stockfish-2400", LimitedStockfish(2400)},
          {"stockfish-2850", LimitedStockfish(2850)},
          {"stockfish", {"cmd=stockfish"}}};
}

bool IsInstalled(const KnownEngine& engine) {
  const std::string command = engine.settings.front().substr(4);  // after "cmd="
  return FindProgram(command.substr(0, command.find(' '))).has_value();
}

// Ourselves first, then the known engines that are wanted and there.
absl::Status ChooseEngines(LadderFlags& flags) {
  const ConnectionFlags& connection = flags.match.connection;
  const std::vector<std::string> own = OwnEngine(connection.server, FlagWords(connection)).words;
  flags.match.engines = {{std::string("name=") + kOwnName, "cmd=" + own[0]}};
  for (std::size_t i = 1; i < own.size(); ++i) flags.match.engines[0].push_back("arg=" + own[i]);
  std::vector<std::string> unknown = flags.engines;
  for (const KnownEngine& engine : KnownEngines()) {
    const bool wanted = flags.engines.empty() || std::erase(unknown, engine.name) > 0;
    if (!wanted) continue;
    if (!IsInstalled(engine)) {
      fmt::print(stderr, "{} is not installed: left out\n", engine.name);
      continue;
    }
    std::vector<std::string> words = {std::string("name=") + engine.name};
    words.insert(words.end(), engine.settings.begin(), engine.settings.end());
    flags.match.engines.push_back(std::move(words));
  }
  if (!unknown.empty()) return absl::InvalidArgumentError(fmt::format("there is no engine '{}'", unknown.front()));
  if (flags.match.engines.size() < 2) return absl::InvalidArgumentError("there is nobody to play against");
  return absl::OkStatus();
}

absl::Status WriteFile(const std::filesystem::path& path, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  return file ? absl::OkStatus() : absl::UnavailableError(fmt::format("{} cannot be written", path.string()));
}

std::string Page(const LadderResults& results, const std::vector<Rung>& rungs, const MatchFlags& match) {
  return fmt::format(
      "# The ladder\n"
      "\n"
      "Made by `./kibitz ladder` from {} games at {} seconds, 16 MB, one thread, each opening with both colours. Elo "
      "is\n"
      "the difference to kibitz in the most likely rating scale over all games, with 95 % error bars.\n"
      "\n"
      "![the ladder](ladder.svg)\n"
      "\n"
      "{}",
      results.games(), match.clock, LadderTable(rungs));
}

// Fits and writes what the records have.
absl::Status WriteLadder(const LadderFlags& flags, const std::vector<std::string>& records) {
  LadderResults results;
  for (const std::string& record : records) {
    const absl::StatusOr<std::string> text = ReadFile(record);
    if (!text.ok()) return text.status();
    results.Add(*text);
  }
  const absl::StatusOr<std::vector<Rung>> rungs = results.Fit(kOwnName);
  if (!rungs.ok()) return rungs.status();
  const std::filesystem::path docs = flags.docs;
  absl::Status status = WriteFile(docs / "ladder.md", Page(results, *rungs, flags.match));
  status.Update(WriteFile(docs / "ladder.svg", LadderPicture(*rungs, kOwnName)));
  if (status.ok()) Print(LadderTable(*rungs));
  return status;
}

ExitCode RunLadder(LadderFlags flags) {
  if (!flags.fit_only.empty()) {
    const absl::Status status = WriteLadder(flags, flags.fit_only);
    return status.ok() ? kExitOk : ReportFailure(status, /*interrupted=*/false);
  }
  if (absl::Status status = ChooseEngines(flags); !status.ok()) {
    PrintError(std::string(status.message()), "see kibitz ladder --help");
    return kExitUsage;
  }
  flags.match.event = "kibitz ladder";
  flags.match.each = {"option.Hash=16"};
  if (flags.match.openings.empty() && access(kBook, R_OK) == 0) flags.match.openings = kBook;
  const ExitCode played = RunMatch(flags.match);
  if (played != kExitOk) return played;
  const absl::Status status = WriteLadder(flags, {flags.match.pgn});
  return status.ok() ? kExitOk : ReportFailure(status, /*interrupted=*/false);
}

}  // namespace

void AddLadderCommand(CLI::App& app, ExitCode& exit_code) {
  auto flags = std::make_shared<LadderFlags>();
  MatchFlags& match = flags->match;
  match.clock = "2+0.05";
  match.games = 10;
  match.pgn = "ladder.pgn";
  CLI::App* command = app.add_subcommand("ladder", "Rate this engine among those that people know");
  command->add_option("--engines", flags->engines, "Only these, with commas between")
      ->type_name("NAME")
      ->delimiter(',');
  command->add_option("--games", match.games, "Games of each pairing")->type_name("N")->capture_default_str();
  command->add_option("--tc", match.clock, "Clock")->type_name("CLOCK")->capture_default_str();
  command->add_flag("--gauntlet", match.gauntlet, "Only our own games, rather than all against all");
  command->add_option("--concurrency", match.concurrency, "Games at a time")->type_name("N")->capture_default_str();
  command->add_option("--openings", match.openings, "Openings; GNU Chess's book if it is there")->type_name("FILE");
  command->add_option("--seed", match.seed, "For the choice of openings")->type_name("N")->capture_default_str();
  command->add_option("--pgn", match.pgn, "Record the games here")->type_name("FILE")->capture_default_str();
  command->add_flag("--resume", match.resume, "Go on with the ladder recorded in --pgn");
  command->add_option("--fit-only", flags->fit_only, "Play nothing, take the games of these records")
      ->type_name("FILE");
  command->add_option("--docs", flags->docs, "Write ladder.md and ladder.svg into this folder")
      ->type_name("FOLDER")
      ->take_last()
      ->capture_default_str();
  AddConnectionFlags(*command, match.connection);
  command->footer(
      "Examples:\n"
      "  ./kibitz ladder --games 20 --concurrency 2\n"
      "  ./kibitz ladder --games 20 --concurrency 2 --resume    goes on after Ctrl-C\n"
      "  ./kibitz ladder --engines toga2,glaurung --gauntlet --games 200\n"
      "  ./kibitz ladder --fit-only ladder.pgn more.pgn\n"
      "\n"
      "The engines: fairymax gnuchess glaurung toga2 ethereal stockfish stockfish-1350 stockfish-2000\n"
      "stockfish-2400 stockfish-2850 (stockfish at that UCI_Elo). All games are played with 16 MB and one\n"
      "thread. The ratings are differences to this engine, which with --server searches there, as that server likes.");
  command->callback([flags, &exit_code] { exit_code = RunLadder(*flags); });
}

}  // namespace kibitz::client
