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
#include "engine/tuning/sample.h"

namespace kibitz::tuning {
namespace {

struct Flags {
  std::string data = "samples.tsv";
  int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  int rounds = 3;
  std::size_t max_samples = 300'000;
  Fit::Options fit;
  std::string weights = "engine/eval/classical/weights.h";
};

std::vector<Sample> ReadSamples(const std::string& path, std::size_t max_samples) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path + "; make it with `kibitz selfplay`");
  std::vector<Sample> samples;
  std::string line;
  for (int number = 1; std::getline(file, line) && samples.size() < max_samples; ++number) {
    absl::StatusOr<Sample> sample = ParseSample(line);
    if (!sample.ok())
      throw std::runtime_error(fmt::format("{}:{}: {}", path, number, std::string(sample.status().message())));
    samples.push_back(*std::move(sample));
  }
  if (samples.empty()) throw std::runtime_error(path + " is empty");
  return samples;
}

void FitWeights(const Flags& flags) {
  const std::vector<Sample> samples = ReadSamples(flags.data, flags.max_samples);
  Fit::Options options = flags.fit;
  options.threads = flags.threads;
  absl::StatusOr<Fit> fit = Fit::Make(samples, options);
  if (!fit.ok()) throw std::runtime_error(std::string(fit.status().message()));
  fmt::print("{} positions, {} weights, scale {:.0f}\nerror before: {:.6f}\n", samples.size(), fit->weights().size(),
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
  const std::vector<Sample> samples = ReadSamples(flags.data, flags.max_samples);
  const Chances chances = FitChances(samples);
  fmt::print("{} positions: half of the games are won at {:.1f} centipawns, spread {:.1f} (mean log chance {:.4f})\n",
             samples.size(), chances.even, chances.spread, chances.likelihood);
}

int Main(int argc, char** argv) {
  Flags flags;
  CLI::App app("Fits the evaluation, and the chances of a result, to games that were played.", "kibitz tune");
  app.require_subcommand(1);
  app.add_option("--data", flags.data, "the positions of games, one a line")->capture_default_str();
  app.add_option("--threads", flags.threads, "threads to use")->capture_default_str()->check(CLI::Range(1, 1024));
  app.add_option("--max-samples", flags.max_samples, "read no more positions than this")->capture_default_str();
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
      "examples:\n  kibitz selfplay --games 3000 --data games.tsv\n  kibitz tune fit --data games.tsv\n"
      "  kibitz tune chances --data games.tsv");
  return RunProgram(app, argc, argv, [&] {
    if (*fit) FitWeights(flags);
    if (*chances) PrintChances(flags);
  });
}

}  // namespace
}  // namespace kibitz::tuning

int main(int argc, char** argv) { return kibitz::tuning::Main(argc, argv); }
