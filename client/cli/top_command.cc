#include "client/cli/top_command.h"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "client/cli/command_context.h"
#include "client/cli/connection_flags.h"
#include "client/cli/console.h"
#include "client/cli/failure.h"
#include "client/cli/interrupt.h"
#include "client/cli/json.h"
#include "client/cli/server_watch.h"
#include "client/cli/top_screen.h"
#include "client/cli/top_text.h"

namespace kibitz::client {
namespace {

// Where a server listens unless it is told otherwise.
constexpr char kDefaultServer[] = "127.0.0.1:50051";

constexpr std::chrono::milliseconds kRedrawTime{200};

struct TopOptions {
  CommonFlags common;
  double interval_seconds = 1;
  bool once = false;
};

using Targets = std::vector<ServerWatch::Target>;

absl::StatusOr<Targets> OpenTargets(const CommonFlags& flags) {
  Targets targets;
  const std::string& servers = flags.connection.server;
  for (const absl::string_view each :
       absl::StrSplit(servers.empty() ? kDefaultServer : servers, ',', absl::SkipEmpty())) {
    ConnectionFlags one = flags.connection;
    one.server = std::string(each);
    absl::StatusOr<ConnectionOptions> options = ConnectionOf(one);
    if (!options.ok()) return options.status();
    if (flags.timeout_seconds > 0) options->quick_timeout = absl::Seconds(flags.timeout_seconds);
    auto connection = Connection::Open(*options);
    if (!connection.ok()) return connection.status();
    targets.push_back({std::string(each), *std::move(connection)});
  }
  return targets;
}

std::string PlainText(const std::vector<ServerView>& views) {
  std::string text;
  for (const TopLine& line : TopLines(views, TopOrder::kRate, /*blocks=*/false)) text += line.text + "\n";
  return text;
}

// Asks each once, and prints the answers. Prints what came before one that fails.
ExitCode PrintOnce(const Targets& targets, bool json, std::vector<ServerView>& views, const Interrupt& interrupt) {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const Connection& connection = *targets[i].connection;
    const auto status = connection.client().GetStatus(connection.QuickCall(interrupt.token()));
    if (!status.ok()) return ReportFailure(status.status(), interrupt.token().stop_requested());
    views[i].Update(*status);
    if (json) Print(ToJsonLine(*status));
  }
  if (!json) Print(PlainText(views));
  return kExitOk;
}

// For whoever reads the output of this program rather than looks at it.
ExitCode PrintOnAndOn(const Targets& targets, const TopOptions& options, const Interrupt& interrupt) {
  std::vector<ServerView> views;
  for (const ServerWatch::Target& target : targets) views.push_back({.address = target.address});
  const std::stop_token stop = interrupt.token();
  std::mutex mutex;
  std::condition_variable_any changed;
  while (true) {
    const ExitCode printed = PrintOnce(targets, options.common.json, views, interrupt);
    if (printed != kExitOk || options.once) return printed;
    std::unique_lock lock(mutex);
    changed.wait_for(lock, stop, std::chrono::duration<double>(options.interval_seconds), [] { return false; });
    if (stop.stop_requested()) return kExitOk;
    if (!options.common.json) Print("\n");
  }
}

ExitCode ShowScreen(Targets targets, const TopOptions& options, const Interrupt& interrupt) {
  const ServerWatch watch(std::move(targets), absl::Seconds(options.interval_seconds));
  TopScreen screen;
  if (!screen.ok()) {
    PrintError("this terminal cannot be drawn upon", "--once prints what there is");
    return kExitFailed;
  }
  TopOrder order = TopOrder::kRate;
  std::optional<std::vector<ServerView>> paused;
  while (!interrupt.token().stop_requested()) {
    screen.Show(TopLines(paused.has_value() ? *paused : watch.views(), order, screen.blocks()),
                fmt::format("q quit  p {}  s sort (by {})", paused.has_value() ? "go on" : "pause", NameOf(order)));
    const std::optional<int> key = screen.AwaitKey(kRedrawTime);
    if (key == 'q') break;
    if (key == 's') order = NextOrder(order);
    if (key == 'p' && paused.has_value()) {
      paused.reset();
    } else if (key == 'p') {
      paused = watch.views();
    }
  }
  return kExitOk;
}

ExitCode RunTop(const TopOptions& options) {
  // Before the threads of the connections, which must not hear the signal.
  const Interrupt interrupt;
  absl::StatusOr<Targets> targets = OpenTargets(options.common);
  if (!targets.ok()) return ReportFailure(targets.status(), /*interrupted=*/false);
  if (options.once || options.common.json || !CanRedraw(stdout) || !IsTerminal(stdin)) {
    return PrintOnAndOn(*targets, options, interrupt);
  }
  return ShowScreen(*std::move(targets), options, interrupt);
}

}  // namespace

void AddTopCommand(CLI::App& app, ExitCode& exit_code) {
  auto options = std::make_shared<TopOptions>();
  CLI::App* command = app.add_subcommand("top", "Watch how servers do: tenants, queue, nodes per second, refusals");
  AddCommonFlags(*command, options->common);
  command->get_option("--server")
      ->description("Watch this server, or several with commas between them")
      ->type_name("HOST:PORT,...");
  command->add_option("--interval", options->interval_seconds, "The time between two looks")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.25, 3600.0).description(""))
      ->capture_default_str();
  command->add_flag("--once", options->once, "Print how they do now, and end");
  command->footer(
      "Examples:\n"
      "  kibitz top\n"
      "  kibitz top --server 10.0.0.1:50051,10.0.0.2:50051\n"
      "  kibitz top --once --json\n"
      "\n"
      "Without --server it looks at 127.0.0.1:50051. Where a server asks for keys, that of an admin is needed.\n"
      "Keys: q ends it, p stops the picture and lets it go on, s sorts the tenants by something else.\n"
      "Where the output is no terminal it is plain text, with --json an object for each server and look.");
  command->callback([options, &exit_code] { exit_code = RunTop(*options); });
}

}  // namespace kibitz::client
