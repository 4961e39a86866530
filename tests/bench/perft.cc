// Races our perft against Debian's Stockfish.

#include "engine/board/perft.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "client/match/engine_process.h"
#include "engine/board/fen.h"
#include "tests/bench/program.h"
#include "tests/bench/race.h"
#include "tests/support/stockfish.h"

namespace kibitz::bench {
namespace {

constexpr char kKiwipeteFen[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

// What is counted, and how: one thread without a hash is timed by the processor's clock, a parallel count by the
// wall's.
struct Course {
  std::string name;
  std::string figure;  // its name in the JSON object
  std::string fen;
  int depth;
  int rounds;
  PerftOptions ours;
};

struct Times {
  double cpu_seconds = 0;
  double wall_seconds = 0;
};

struct Lap {
  std::uint64_t nodes = 0;
  Times times;
};

double WallSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Runs `count` between two looks at the clocks.
absl::StatusOr<Lap> Timed(const std::function<double()>& cpu_seconds,
                          const std::function<absl::StatusOr<std::uint64_t>()>& count) {
  const Times start = {cpu_seconds(), WallSeconds()};
  const absl::StatusOr<std::uint64_t> nodes = count();
  if (!nodes.ok()) return nodes.status();
  return Lap{*nodes, {cpu_seconds() - start.cpu_seconds, WallSeconds() - start.wall_seconds}};
}

absl::StatusOr<Lap> RunOurs(const Course& course) {
  const absl::StatusOr<Position> position = ParseFen(course.fen);
  if (!position.ok()) return position.status();
  return Timed([] { return CpuNanoseconds() / 1e9; }, [&] { return Perft(*position, course.depth, course.ours); });
}

absl::StatusOr<Lap> RunStockfish(client::EngineProcess& stockfish, const Course& course) {
  return Timed([&] { return absl::ToDoubleSeconds(stockfish.CpuTime()); },
               [&]() -> absl::StatusOr<std::uint64_t> {
                 const absl::StatusOr<std::vector<std::string>> answer =
                     stockfish.Ask(absl::StrCat("position fen ", course.fen, "\ngo perft ", course.depth, "\n"),
                                   "Nodes searched", absl::Minutes(5));
                 if (!answer.ok()) return answer.status();
                 const std::vector<std::string> words = absl::StrSplit(answer->back(), ' ');
                 return std::stoull(words.back());
               });
}

// The medians of interleaved rounds: ours and Stockfish's nodes per second, in millions.
struct Outcome {
  double ours = 0;
  double theirs = 0;
  double Ratio() const { return ours / theirs; }
};

absl::StatusOr<Outcome> RunCourse(client::EngineProcess& stockfish, const Course& course) {
  const bool parallel = course.ours.threads > 1;
  const auto speed = [&](const Lap& lap) {
    return static_cast<double>(lap.nodes) / 1e6 / (parallel ? lap.times.wall_seconds : lap.times.cpu_seconds);
  };
  std::vector<double> ours, theirs;
  for (int round = 0; round < course.rounds; ++round) {
    fmt::print(stderr, "{}: round {} of {}\n", course.name, round + 1, course.rounds);
    const absl::StatusOr<Lap> our_lap = RunOurs(course);
    if (!our_lap.ok()) return our_lap.status();
    const absl::StatusOr<Lap> their_lap = RunStockfish(stockfish, course);
    if (!their_lap.ok()) return their_lap.status();
    if (our_lap->nodes != their_lap->nodes) {
      return absl::InternalError(absl::StrCat("we count ", our_lap->nodes, " nodes, Stockfish ", their_lap->nodes));
    }
    ours.push_back(speed(*our_lap));
    theirs.push_back(speed(*their_lap));
  }
  return Outcome{Median(ours), Median(theirs)};
}

std::vector<Course> Courses(bool quick) {
  const int threads = static_cast<int>(std::max(2u, std::thread::hardware_concurrency()));
  return {{"start position, depth 6", "start6", kStartFen, 6, quick ? 3 : 9, {}},
          {"Kiwipete, depth 5", "kiwipete5", kKiwipeteFen, 5, quick ? 3 : 9, {}},
          {absl::StrCat("start position, depth 7, ", threads, " threads, 256 MiB hash"),
           "start7_parallel_hashed",
           kStartFen,
           7,
           quick ? 1 : 3,
           {.threads = threads, .hash_mb = 256}}};
}

absl::StatusOr<nlohmann::ordered_json> Run(bool quick) {
  const std::optional<std::string> program = Stockfish::Find();
  if (!program) return absl::NotFoundError("no Stockfish to race against: install the package stockfish");
  absl::StatusOr<std::unique_ptr<client::EngineProcess>> stockfish =
      client::EngineProcess::Start({.words = {*program}});
  if (!stockfish.ok()) return stockfish.status();
  if (const auto ready = (*stockfish)->Ask("uci\nisready\n", "readyok"); !ready.ok()) return ready.status();

  nlohmann::ordered_json figures;
  fmt::print("{:<56}{:>10}{:>12}{:>9}\n", "million leaf nodes per second (medians)", "Kibitz", "Stockfish", "ratio");
  for (const Course& course : Courses(quick)) {
    const absl::StatusOr<Outcome> outcome = RunCourse(**stockfish, course);
    if (!outcome.ok()) return outcome.status();
    fmt::print("{:<56}{:>10.0f}{:>12.0f}{:>8.2f}x\n", course.name, outcome->ours, outcome->theirs, outcome->Ratio());
    std::fflush(stdout);
    figures[course.figure + "_mnps"] = Rounded(outcome->ours);
    figures[course.figure + "_stockfish_mnps"] = Rounded(outcome->theirs);
    figures[course.figure + "_ratio"] = Rounded(outcome->Ratio());
  }
  return figures;
}

nlohmann::ordered_json RunOrThrow(bool quick) {
  absl::StatusOr<nlohmann::ordered_json> figures = Run(quick);
  if (!figures.ok()) throw std::runtime_error(std::string(figures.status().message()));
  return *std::move(figures);
}

}  // namespace
}  // namespace kibitz::bench

int main(int argc, char** argv) {
  using namespace kibitz::bench;  // NOLINT: wiring only
  return RunProgram(
      {.name = "perft",
       .description = "Races perft against Debian's Stockfish: medians of interleaved runs; CPU time for one thread, "
                      "wall time for the parallel count (Stockfish counts on one thread, without a hash).",
       .quick_help = "fewer rounds",
       .run = RunOrThrow},
      argc, argv);
}
