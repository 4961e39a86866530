#include "client/cli/fishnet_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "client/cli/connection_flags.h"
#include "client/cli/console.h"
#include "client/cli/failure.h"
#include "client/cli/interrupt.h"
#include "client/cli/quantity.h"
#include "client/connection.h"
#include "client/fishnet/api.h"
#include "client/fishnet/worker.h"
#include "client/http/http_client.h"
#include "client/key.h"
#include "server/log/log.h"
#include "server/log/log_fields.h"

namespace kibitz::client {
namespace {

struct FishnetFlags {
  ConnectionFlags connection{};
  EmbeddedOptions embedded{};
  std::string endpoint{};
  std::string key_file{};
  std::string ca_file{};
  int cores = 0;
  double user_backlog_seconds = 0;
  double system_backlog_seconds = 0;
  bool json = false;
};

// None at all is fine: some sites let anybody work.
absl::StatusOr<std::string> KeyOf(const FishnetFlags& flags) {
  if (!flags.key_file.empty()) return ReadKeyFile(flags.key_file);
  const char* const set = std::getenv("FISHNET_KEY");
  return set == nullptr ? std::string() : std::string(set);
}

// The server may put our key into its words.
std::string WithoutKey(std::string_view words, const std::string& key) {
  std::string clean(words);
  for (std::size_t at = 0; !key.empty() && (at = clean.find(key, at)) != std::string::npos;) {
    clean.replace(at, key.size(), "(key)");
  }
  return clean;
}

std::string StatisticsText(const fishnet::WorkerCounts& counts, bool json) {
  const double seconds = std::max(absl::ToDoubleSeconds(counts.working), 1e-3);
  const double rate = static_cast<double>(counts.nodes) / seconds;
  if (json) {
    return nlohmann::ordered_json{{"analyses", counts.analyses},   {"moves", counts.moves},
                                  {"positions", counts.positions}, {"skipped", counts.skipped},
                                  {"nodes", counts.nodes},         {"seconds", seconds},
                                  {"nodes_per_second", rate},      {"reports", counts.reports},
                                  {"returned", counts.returned},   {"refused", counts.refused}}
               .dump() +
           "\n";
  }
  return fmt::format("{} analyses and {} moves: {} positions ({} skipped), {} nodes in {}, {}/s\n", counts.analyses,
                     counts.moves, counts.positions, counts.skipped, Rounded(static_cast<double>(counts.nodes)),
                     Rounded(counts.working), Rounded(rate)) +
         (counts.returned + counts.refused == 0
              ? ""
              : fmt::format("{} given back, {} answers not taken\n", counts.returned, counts.refused));
}

absl::StatusOr<std::unique_ptr<Connection>> OpenPool(const FishnetFlags& flags) {
  absl::StatusOr<ConnectionOptions> options = ConnectionOf(flags.connection);
  if (!options.ok()) return options.status();
  options->embedded = flags.embedded;
  options->embedded.workers = flags.cores;
  return Connection::Open(*options);
}

ExitCode Work(const FishnetFlags& flags, const std::string& key, const Interrupt& interrupt) {
  const auto pool = OpenPool(flags);
  if (!pool.ok()) return ReportFailure(pool.status(), /*interrupted=*/false);
  const auto info = (*pool)->client().GetServerInfo((*pool)->QuickCall(interrupt.token()));
  if (!info.ok()) return ReportFailure(info.status(), interrupt.token().stop_requested());
  // After the server inside has had its word about the log.
  server::SetUpLog("info", server::LogFormatForStandardError());
  const std::string version(absl::StripPrefix(info->version(), "Kibitz "));
  const auto http = http::HttpClient::Open({.base_url = flags.endpoint,
                                            .token = key,
                                            .user_agent = absl::StrCat("kibitz/", version, " (fishnet protocol)"),
                                            .ca_file = flags.ca_file,
                                            .one_at_a_time = true});
  if (!http.ok()) return ReportFailure(http.status(), /*interrupted=*/false);
  fishnet::Api api(**http);
  const auto fail = [&](const absl::Status& status) {
    PrintError(WithoutKey(std::string(status.message()), key));
    return kExitFailed;
  };
  if (absl::Status status = api.CheckKey(interrupt.token()); fishnet::IsFinal(status)) {
    return fail(absl::Status(status.code(), absl::StrCat(api.host(), " does not take the key: ", status.message())));
  }
  const int cores = flags.cores > 0 ? flags.cores : std::max(1, info->workers());
  fishnet::Worker worker(
      api, **pool,
      {.cores = cores,
       .user_backlog = absl::Seconds(flags.user_backlog_seconds),
       .system_backlog = absl::Seconds(flags.system_backlog_seconds),
       .engine = {.version = version, .evaluation = info->evaluation()},
       .log = [&key](std::string_view line) { server::LogFields(WithoutKey(line, key)).Log(spdlog::level::info); }});
  server::LogFields("working")
      .Add("server", api.host())
      .Add("cores", std::int64_t{cores})
      .Add("evaluation", info->evaluation())
      .Log(spdlog::level::info);
  const absl::Status status = worker.Run(interrupt.token());
  Print(StatisticsText(worker.counts(), flags.json));
  return status.ok() ? kExitOk : fail(status);
}

ExitCode RunFishnet(const FishnetFlags& flags) {
  // Before any other thread, which must not hear the signal.
  const Interrupt interrupt;
  // Whoever runs it as a service stops it in good order as well.
  std::signal(SIGTERM, [](int) { kill(getpid(), SIGINT); });
  const absl::StatusOr<std::string> key = KeyOf(flags);
  if (!key.ok()) {
    PrintError(std::string(key.status().message()));
    return kExitUsage;
  }
  return Work(flags, *key, interrupt);
}

void AddFlags(CLI::App& command, FishnetFlags& flags) {
  const auto add_seconds = [&](const std::string& name, double& value, const std::string& help) {
    command.add_option(name, value, help)->type_name("SECONDS")->check(CLI::NonNegativeNumber.description(""));
  };
  command
      .add_option("--endpoint", flags.endpoint, "Where the site has its fishnet, such as https://site.example/fishnet")
      ->type_name("URL")
      ->envname("FISHNET_ENDPOINT")
      ->required();
  command.add_option("--key-file", flags.key_file, "The file that holds the worker's key; or FISHNET_KEY")
      ->type_name("FILE")
      ->envname("FISHNET_KEY_FILE");
  command.add_option("--cores", flags.cores, "How many positions to search at a time; as many as the pool has workers")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""));
  add_seconds("--user-backlog", flags.user_backlog_seconds,
              "Take what a user waits for only once some has waited so long");
  add_seconds("--system-backlog", flags.system_backlog_seconds, "The same for what is in no hurry");
  command.add_flag("--json", flags.json, "Print the statistics in JSON");
  command.add_option("--ca-file", flags.ca_file, "Trust the certificates in this file instead of this machine's")
      ->type_name("FILE");
  command.add_option("--hash", flags.embedded.hash_mb, "The transposition table without --server")
      ->type_name("MB")
      ->check(CLI::Range(1, 1 << 20).description(""));
  command
      .add_option("--syzygy", flags.embedded.syzygy_path, "Folders of endgame tables, with colons, without --server")
      ->type_name("FOLDERS");
  command.add_option("--eval-file", flags.embedded.eval_file, "A net to evaluate with, without --server")
      ->type_name("FILE");
}

}  // namespace

void AddFishnetCommand(CLI::App& app, ExitCode& exit_code) {
  auto flags = std::make_shared<FishnetFlags>();
  CLI::App* command = app.add_subcommand("fishnet", "Analyse games for a site, by the fishnet protocol");
  AddFlags(*command, *flags);
  command->footer(
      "Examples:\n"
      "  kibitz fishnet --endpoint https://site.example/fishnet --key-file key --cores 4\n"
      "  kibitz fishnet --endpoint https://site.example/fishnet --key-file key --server analysis.example:50051\n"
      "  kibitz fishnet --endpoint https://site.example/fishnet --key-file key --user-backlog 120\n"
      "\n"
      "Works until Ctrl-C or SIGTERM, then gives back what is not done and tells what was. It says to the site what "
      "it\n"
      "is: lichess.org itself asks for another engine. docs/lichess.md tells more.");
  command->callback([flags, &exit_code] { exit_code = RunFishnet(*flags); });
}

}  // namespace kibitz::client
