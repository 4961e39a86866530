// `./kibitz lichess trial`: many games of two bots on the stand-in, with faults between them.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>

#include "tests/client/lichess/bot/trial.h"

int main(int argc, char** argv) {
  using namespace kibitz::client::lichess;  // NOLINT: wiring only
  setenv("GRPC_VERBOSITY", "NONE", /*overwrite=*/0);
  CLI::App app("Plays many fast games of two bots on a stand-in for Lichess, with faults between them.",
               "kibitz lichess trial");
  TrialOptions options;
  app.add_option("--games", options.games, "How many")->check(CLI::Range(1, 1'000'000))->capture_default_str();
  app.add_option("--concurrency", options.concurrency, "At once")->check(CLI::Range(1, 100))->capture_default_str();
  app.add_option("--seed", options.seed, "Of the faults")->capture_default_str();
  app.add_option("--faults", options.faults, "How often, against the usual")
      ->check(CLI::Range(0.0, 3.0))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const TrialResult result = RunTrial(options, [&](int games) {
    if (games % 50 == 0) std::fprintf(stderr, "%d of %d games\n", games, options.games);
  });
  std::printf("seed %llu, faults %g\n%s", static_cast<unsigned long long>(options.seed), options.faults,
              ToText(result).c_str());
  return result.IsGood(options.games) ? 0 : 1;
}
