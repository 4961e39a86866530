// `./kibitz lichess demo`: two bots play on a stand-in for Lichess, for who has no account there.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "client/cli/console.h"
#include "client/cli/lichess_bot_text.h"
#include "client/cli/live_text.h"
#include "tests/client/lichess/bot/arena.h"

namespace kibitz::client::lichess {
namespace {

struct DemoOptions {
  int games = 1;
  int seconds = 30;
  int increment = 0;
};

BotPolicy DemoPolicy(int strength_elo) {
  BotPolicy policy;
  policy.play.strength_elo = strength_elo;
  policy.play.human_times = true;
  policy.challenges.min_initial = absl::ZeroDuration();
  policy.challenges.max_games = 1;
  policy.on_stop = StopPolicy::kLeave;
  return policy;
}

void ShowUntilOver(stand_in::StandIn& server, const RunningBot& bot, std::size_t over) {
  LiveText live(stdout);
  while (!server.world().AwaitFinished(over, absl::Milliseconds(200))) {
    live.Show(LichessBotText(bot.view(), PaletteOf(stdout)));
  }
  live.Clear();
}

int RunDemo(const DemoOptions& options) {
  stand_in::StandIn server;
  server.world().AddAccount({.name = "Kibitz", .token = "lip_kibitz", .rating = 2300});
  server.world().AddAccount({.name = "Novice", .token = "lip_novice", .rating = 1600});
  if (const absl::Status status = server.Start(); !status.ok()) {
    std::fprintf(stderr, "error: %s\n", std::string(status.message()).c_str());
    return 1;
  }
  std::printf("a stand-in for Lichess at %s; two bots play there: Kibitz at full strength, Novice at about 1600\n",
              server.url().c_str());
  RunningBot kibitz(server, SharedConnection(), "lip_kibitz", {.policy = DemoPolicy(0)}, ApiTimes{});
  RunningBot novice(server, SharedConnection(), "lip_novice", {.policy = DemoPolicy(1600)}, ApiTimes{});
  for (int game = 1; game <= options.games; ++game) {
    const auto challenge = server.world().Challenge(
        "novice", "Kibitz", {.limit_seconds = options.seconds, .increment_seconds = options.increment});
    if (!challenge.ok()) return 1;
    ShowUntilOver(server, kibitz, static_cast<std::size_t>(game));
    const stand_in::FinishedGame over = server.world().finished().back();
    const char* winner = !over.winner ? "nobody" : over.spec.seats[Place(*over.winner)].name.c_str();
    std::printf("game %d: %s - %s, %s after %zu plies, %s wins\n  %s\n", game, over.spec.seats[0].name.c_str(),
                over.spec.seats[1].name.c_str(), over.status.c_str(), over.moves.size(), winner,
                absl::StrJoin(over.moves, " ").c_str());
  }
  return 0;
}

}  // namespace
}  // namespace kibitz::client::lichess

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  setenv("GRPC_VERBOSITY", "NONE", /*overwrite=*/0);
  CLI::App app("Lets two bots play on a stand-in for Lichess, on this machine alone.", "kibitz lichess demo");
  kibitz::client::lichess::DemoOptions options;
  app.add_option("--games", options.games, "How many")->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("--seconds", options.seconds, "On each clock")->check(CLI::Range(1, 10'800))->capture_default_str();
  app.add_option("--increment", options.increment, "Seconds gained with each move")
      ->check(CLI::Range(0, 180))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  return kibitz::client::lichess::RunDemo(options);
}
