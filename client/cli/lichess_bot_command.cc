#include "client/cli/lichess_bot_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "client/cli/connection_flags.h"
#include "client/cli/console.h"
#include "client/cli/failure.h"
#include "client/cli/interrupt.h"
#include "client/cli/lichess_bot_text.h"
#include "client/cli/live_text.h"
#include "client/connection.h"
#include "client/http/http_client.h"
#include "client/key.h"
#include "client/lichess/bot/bot.h"
#include "client/lichess/bot/bot_metrics.h"
#include "client/lichess/bot/lichess_api.h"
#include "client/lichess/bot/policy_file.h"
#include "engine/version.h"
#include "server/log/log.h"

namespace kibitz::client {
namespace {

struct BotFlags {
  ConnectionFlags connection{};
  EmbeddedOptions embedded{};
  std::string url = "https://lichess.org";
  std::string ca_file{};
  std::string token_file{};
  std::string policy_file{};
  std::string pgn_file{};
  std::string metrics{};
  bool upgrade = false;
  bool check = false;
  bool log = false;
};

absl::StatusOr<std::string> TokenOf(const BotFlags& flags) {
  if (!flags.token_file.empty()) return ReadKeyFile(flags.token_file, "token");
  const char* const set = std::getenv("LICHESS_TOKEN");
  if (set != nullptr && *set != '\0') return std::string(set);
  return absl::InvalidArgumentError(
      "there is no token: name the file of one by --token-file, or set LICHESS_TOKEN; "
      "https://lichess.org/account/oauth/token makes them, with the scope bot:play");
}

// Draws the games over and over until it is destroyed.
class LiveView {
 public:
  explicit LiveView(const lichess::Bot& bot) : thread_([&bot](const std::stop_token& stop) { Draw(bot, stop); }) {}

 private:
  static void Draw(const lichess::Bot& bot, const std::stop_token& stop) {
    constexpr absl::Duration kRedraw = absl::Milliseconds(250);
    LiveText live(stdout);
    while (http::RealClock().WaitFor(kRedraw, stop)) live.Show(LichessBotText(bot.view(), PaletteOf(stdout)));
    live.Clear();
  }

  std::jthread thread_;
};

ExitCode Play(const BotFlags& flags, const lichess::BotPolicy& policy, const std::string& token,
              const Interrupt& interrupt) {
  absl::StatusOr<ConnectionOptions> options = ConnectionOf(flags.connection);
  if (!options.ok()) return ReportFailure(options.status(), /*interrupted=*/false);
  options->embedded = flags.embedded;
  const auto connection = Connection::Open(*options);
  if (!connection.ok()) return ReportFailure(connection.status(), /*interrupted=*/false);
  const auto http = http::HttpClient::Open({.base_url = flags.url,
                                            .token = token,
                                            .user_agent = kibitz::VersionAndBuild(),
                                            .ca_file = flags.ca_file,
                                            .one_at_a_time = true});
  if (!http.ok()) return ReportFailure(http.status(), /*interrupted=*/false);
  // Lines and pictures do not go together on one terminal.
  const bool live = IsTerminal(stdout) && CanRedraw(stdout) && !flags.log;
  // After the server inside has had its word about the log.
  server::SetUpLog(live ? "warn" : "info", server::LogFormatForStandardError());
  lichess::LichessApi api(**http);
  const auto bot = lichess::Bot::Start(
      api, **connection,
      {.policy = policy, .pgn_file = flags.pgn_file, .upgrade = flags.upgrade, .engine = kibitz::VersionAndBuild()},
      interrupt.token());
  if (!bot.ok()) {
    if (interrupt.token().stop_requested()) return kExitInterrupted;
    PrintError(std::string(bot.status().message()));
    return kExitFailed;
  }
  std::unique_ptr<lichess::BotMetrics> metrics;
  if (!flags.metrics.empty()) {
    auto started = lichess::BotMetrics::Start(flags.metrics, [&] { return (*bot)->view(); });
    if (!started.ok()) return ReportFailure(started.status(), /*interrupted=*/false);
    metrics = *std::move(started);
  }
  absl::Status status;
  {
    const std::unique_ptr<LiveView> view = live ? std::make_unique<LiveView>(**bot) : nullptr;
    status = (*bot)->Run(interrupt.token());
  }
  Print(LichessBotSummary((*bot)->view()));
  if (status.ok()) return kExitOk;
  PrintError(std::string(status.message()));
  return kExitFailed;
}

ExitCode RunLichessBot(const BotFlags& flags) {
  // Before any other thread, which must not hear the signal.
  const Interrupt interrupt;
  // Whoever runs it as a service stops it in good order as well.
  std::signal(SIGTERM, [](int) { kill(getpid(), SIGINT); });
  lichess::BotPolicy policy;
  if (!flags.policy_file.empty()) {
    auto read = lichess::ReadPolicyFile(flags.policy_file);
    if (!read.ok()) {
      PrintError(std::string(read.status().message()));
      return kExitUsage;
    }
    policy = *std::move(read);
  }
  if (flags.check) {
    Print("the policy is good\n");
    return kExitOk;
  }
  const absl::StatusOr<std::string> token = TokenOf(flags);
  if (!token.ok()) {
    PrintError(std::string(token.status().message()));
    return kExitUsage;
  }
  return Play(flags, policy, *token, interrupt);
}

void AddFlags(CLI::App& command, BotFlags& flags) {
  const auto add = [&](const std::string& name, std::string& value, const std::string& help, const char* type) {
    return command.add_option(name, value, help)->type_name(type);
  };
  add("--token-file", flags.token_file, "The file that holds the account's token; or LICHESS_TOKEN", "FILE")
      ->envname("LICHESS_TOKEN_FILE");
  add("--policy", flags.policy_file, "What to accept and how to play, in TOML", "FILE");
  add("--pgn", flags.pgn_file, "Add each game to this file when it is over", "FILE");
  add("--url", flags.url, "Another Lichess than the one", "URL");
  add("--ca-file", flags.ca_file, "Trust the certificates in this file instead of this machine's", "FILE");
  add("--metrics", flags.metrics, "Show metrics to Prometheus here, such as 127.0.0.1:9465", "HOST:PORT");
  command.add_flag("--upgrade", flags.upgrade, "Make a bot of an account that has played no game: for good");
  command.add_flag("--check-policy", flags.check, "Only tell what is wrong with the policy");
  command.add_flag("--log", flags.log, "Log what happens, also where a terminal could show the games");
  command.add_option("--hash", flags.embedded.hash_mb, "The transposition table without --server")
      ->type_name("MB")
      ->check(CLI::Range(1, 1 << 20).description(""));
  command.add_option("--workers", flags.embedded.workers, "How many threads may search at once without --server")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""));
  add("--syzygy", flags.embedded.syzygy_path, "Folders of endgame tables, with colons, without --server", "FOLDERS");
  add("--eval-file", flags.embedded.eval_file, "A net to evaluate with, without --server", "FILE");
  AddConnectionFlags(command, flags.connection);
}

}  // namespace

void AddLichessBotCommand(CLI::App& lichess, ExitCode& exit_code) {
  auto flags = std::make_shared<BotFlags>();
  CLI::App* command = lichess.add_subcommand("bot", "Play on Lichess as a bot");
  AddFlags(*command, *flags);
  command->footer(
      "Examples:\n"
      "  kibitz lichess bot --token-file token                    accepts what the policy's defaults allow\n"
      "  kibitz lichess bot --token-file token --policy bot.toml --pgn games.pgn\n"
      "  kibitz lichess bot --token-file token --server analysis.example:50051 --key-file key\n"
      "  kibitz lichess bot --policy bot.toml --check-policy\n"
      "\n"
      "On a terminal the games are shown as they go on; elsewhere each event is a log line. Ctrl-C or SIGTERM stops\n"
      "accepting and ends the games as the policy says; a second one leaves at once, and the next start goes on with\n"
      "them. docs/lichess.md tells how to get a token, and what the policy may say.");
  command->callback([flags, &exit_code] { exit_code = RunLichessBot(*flags); });
}

}  // namespace kibitz::client
