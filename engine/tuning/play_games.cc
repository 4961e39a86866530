// kibitz selfplay: makes games to learn from.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <fstream>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "engine/tuning/program.h"
#include "engine/tuning/sample.h"
#include "engine/tuning/self_play.h"

namespace kibitz::tuning {
namespace {

struct Flags {
  std::string data = "samples.tsv";
  int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  int games = 1000;
  std::uint64_t seed = 1;
  SelfPlayOptions play;
};

// Appends to the file, so that it can be interrupted and gone on with under another seed.
void Play(const Flags& flags) {
  std::ofstream file(flags.data, std::ios::app);
  if (!file) throw std::runtime_error("cannot write " + flags.data);
  std::atomic<int> next = 0;
  std::mutex mutex;  // guards the file and the counts
  int games = 0;
  std::int64_t samples = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < flags.threads; ++i) {
    threads.emplace_back([&] {
      for (int game = next++; game < flags.games; game = next++) {
        const std::vector<Sample> played =
            PlayGame(flags.seed * 1'000'003 + static_cast<std::uint64_t>(game), flags.play);
        std::lock_guard lock(mutex);
        for (const Sample& sample : played) file << ToLine(sample) << '\n';
        samples += static_cast<std::int64_t>(played.size());
        if (++games % 100 == 0 || games == flags.games) {
          fmt::print(stderr, "{} of {} games, {} positions\n", games, flags.games, samples);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (!file.flush()) throw std::runtime_error("cannot write " + flags.data);
}

int Main(int argc, char** argv) {
  Flags flags;
  CLI::App app("Plays the engine against itself and writes the quiet positions of the games down.", "kibitz selfplay");
  app.add_option("--data", flags.data, "the file to append to: FEN, score and result, one position a line")
      ->capture_default_str();
  app.add_option("--threads", flags.threads, "games at a time")->capture_default_str()->check(CLI::Range(1, 1024));
  app.add_option("--games", flags.games, "how many")->capture_default_str()->check(CLI::Range(1, 100'000'000));
  app.add_option("--seed", flags.seed, "other seeds give other games")->capture_default_str();
  app.add_option("--nodes", flags.play.nodes, "how long to think about a move")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000'000));
  app.footer(
      "examples:\n  kibitz selfplay --games 3000 --data games.tsv\n"
      "  kibitz selfplay --games 3000 --seed 2 --data games.tsv");
  return RunProgram(app, argc, argv, [&] { Play(flags); });
}

}  // namespace
}  // namespace kibitz::tuning

int main(int argc, char** argv) { return kibitz::tuning::Main(argc, argv); }
