// kibitz tune: learns from games.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "engine/tuning/chances.h"
#include "engine/tuning/fit.h"
#include "engine/tuning/program.h"
#include "engine/tuning/record.h"
#include "engine/tuning/record_file.h"

namespace kibitz::tuning {
namespace {

struct Flags {
  std::string data = "positions.bin";
  int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  int rounds = 3;
  std::size_t max_positions = 300'000;
  Fit::Options fit;
  std::string weights = "engine/eval/classical/weights.h";
};

// The positions of games: those whose result is known.
std::vector<Record> ReadGamePositions(const std::string& path, std::size_t max) {
  absl::StatusOr<RecordReader> reader = RecordReader::Open(path);
  if (!reader.ok()) throw std::runtime_error(std::string(reader.status().message()));
  std::vector<Record> records;
  std::vector<Record> block;
  do {
    reader->Next(std::size_t{1} << 16, block);
    for (const Record& record : block) {
      if (record.HalfPoints() != Record::kNoResult && records.size() < max) records.push_back(record);
    }
  } while (!block.empty() && records.size() < max);
  if (records.empty()) throw std::runtime_error(path + " has no positions of games");
  return records;
}

void FitWeights(const Flags& flags) {
  const std::vector<Record> records = ReadGamePositions(flags.data, flags.max_positions);
  Fit::Options options = flags.fit;
  options.threads = flags.threads;
  absl::StatusOr<Fit> fit = Fit::Make(records, options);
  if (!fit.ok()) throw std::runtime_error(std::string(fit.status().message()));
  fmt::print("{} positions, {} weights, scale {:.0f}\nerror before: {:.6f}\n", records.size(), fit->weights().size(),
             fit->scale(), fit->Error());
  for (int round = 1; round <= flags.rounds; ++round) {
    fmt::print("error after round {}: {:.6f}\n", round, fit->Improve());
    std::fflush(stdout);
  }
  std::ifstream before(flags.weights);
  std::stringstream header;
  header << before.rdbuf();
  const absl::StatusOr<std::string> rewritten = fit->weights().Rewrite(header.str());
  if (!rewritten.ok()) throw std::runtime_error(flags.weights + ": " + std::string(rewritten.status().message()));
  std::ofstream after(flags.weights);
  if (!(after << *rewritten).flush()) throw std::runtime_error("cannot write " + flags.weights);
  fmt::print("{} is rewritten; format it, and let a match decide\n", flags.weights);
}

void PrintChances(const Flags& flags) {
  const std::vector<Record> records = ReadGamePositions(flags.data, flags.max_positions);
  const Chances chances = FitChances(records);
  fmt::print("{} positions: half of the games are won at {:.1f} centipawns, spread {:.1f} (mean log chance {:.4f})\n",
             records.size(), chances.even, chances.spread, chances.likelihood);
}

int Main(int argc, char** argv) {
  Flags flags;
  CLI::App app("Fits the evaluation, and the chances of a result, to games that were played.", "kibitz tune");
  app.require_subcommand(1);
  app.add_option("--data", flags.data, "the positions that `kibitz selfplay` made")->capture_default_str();
  app.add_option("--threads", flags.threads, "threads to use")->capture_default_str()->check(CLI::Range(1, 1024));
  app.add_option("--max-positions", flags.max_positions, "read no more positions than this")->capture_default_str();
  app.fallthrough();
  CLI::App* fit = app.add_subcommand("fit", "fit the evaluation's weights and rewrite them");
  fit->add_option("--rounds", flags.rounds, "how often to measure and descend")->capture_default_str();
  fit->add_option("--steps", flags.fit.steps, "steps of each descent")->capture_default_str();
  fit->add_option("--reach", flags.fit.reach, "how far a weight is expected to lie from where it was")
      ->capture_default_str()
      ->check(CLI::Range(0.1, 10000.0));
  fit->add_option("--score-share", flags.fit.score_share, "how much to trust the search against the result, 0 to 1")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  fit->add_option("--weights", flags.weights, "the file to rewrite")->capture_default_str();
  CLI::App* chances = app.add_subcommand("chances", "fit the curve from a score to the chances of a result");
  app.footer(
      "examples:\n  kibitz selfplay --siblings 0 --nodes 5000 --data games.bin\n  kibitz tune fit --data games.bin\n"
      "  kibitz tune chances --data games.bin");
  return RunProgram(app, argc, argv, [&] {
    if (*fit) FitWeights(flags);
    if (*chances) PrintChances(flags);
  });
}

}  // namespace
}  // namespace kibitz::tuning

int main(int argc, char** argv) { return kibitz::tuning::Main(argc, argv); }
