// kibitz train: makes a net from positions.

#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/eval/nnue/network.h"
#include "engine/tuning/loss_picture.h"
#include "engine/tuning/manifest.h"
#include "engine/tuning/program.h"
#include "engine/tuning/record_file.h"
#include "engine/tuning/trainer.h"

namespace kibitz::tuning {
namespace {

struct Flags {
  std::vector<std::string> data = {"positions.bin"};
  std::string output = "kibitz.net";
  bool resume = false;
  std::string revision;
  TrainerOptions trainer;
};

// One of so many blocks of a file is kept apart, so that no game is on both sides.
constexpr std::size_t kBlock = std::size_t{1} << 14;
constexpr std::size_t kValidationEvery = 64;
constexpr std::size_t kMaxValidation = 200'000;

void Check(const absl::Status& status) {
  if (!status.ok()) throw std::runtime_error(std::string(status.message()));
}

void Read(const std::string& path, std::vector<Record>& records, std::vector<Record>& validation) {
  absl::StatusOr<RecordReader> reader = RecordReader::Open(path);
  Check(reader.status());
  records.reserve(records.size() + reader->size());
  std::vector<Record> block;
  for (std::size_t number = 1;; ++number) {
    reader->Next(kBlock, block);
    if (block.empty()) return;
    const bool apart = number % kValidationEvery == 0 && validation.size() < kMaxValidation;
    std::vector<Record>& side = apart ? validation : records;
    std::copy_if(block.begin(), block.end(), std::back_inserter(side),
                 [](const Record& record) { return record.IsQuiet(); });
  }
}

void Write(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  if (!file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush()) {
    throw std::runtime_error("cannot write " + path);
  }
}

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The losses so far, in FILE.tsv and as a picture.
class LossLog {
 public:
  LossLog(const std::string& net, bool resume) : table_(net + ".tsv"), picture_(net + ".svg") {
    if (resume) points_ = ReadLossTable(ReadAll(table_));
  }

  void Add(const LossPoint& point) {
    points_.push_back(point);
    std::string text = LossTableHead();
    for (const LossPoint& each : points_) text += LossTableLine(each);
    Write(table_, text);
    Write(picture_, LossPicture(points_));
  }

  LossPoint last() const { return points_.empty() ? LossPoint() : points_.back(); }

 private:
  const std::string table_;
  const std::string picture_;
  std::vector<LossPoint> points_;
};

std::string Describe(const TrainerProgress& progress) {
  return fmt::format("{:7.1f} M  loss {:.6f}  validation {:.6f}  rate {:.6f}  {:.0f} k/s  {:.0f} min left",
                     static_cast<double>(progress.positions) / 1e6, progress.loss, progress.validation_loss,
                     progress.rate, progress.positions_per_second / 1000, progress.seconds_left / 60);
}

void Train(const Flags& flags) {
  std::vector<Record> records;
  std::vector<Record> validation;
  for (const std::string& path : flags.data) Read(path, records, validation);
  if (records.empty()) throw std::runtime_error("there is nothing to learn from");
  fmt::print(stderr, "{} positions to learn from, {} to validate by\n", records.size(), validation.size());
  Making making;
  making.options = flags.trainer;
  making.data = flags.data;
  making.learnt = records.size();
  making.validated = validation.size();
  making.revision = flags.revision;
  Trainer trainer(std::move(records), std::move(validation), flags.trainer);
  making.scale = trainer.scale();
  fmt::print(stderr, "a value of {:.0f} centipawns scores 73 %\n", trainer.scale());
  const std::string state = flags.output + ".state";
  if (flags.resume) Check(trainer.Restore(state));

  LossLog log(flags.output, flags.resume);
  const bool live = isatty(STDERR_FILENO) == 1;
  trainer.Run([&](const TrainerProgress& progress) {
    fmt::print(stderr, "{}{}{}", live ? "\r\x1b[K" : "", Describe(progress), live ? "" : "\n");
    log.Add({progress.positions, progress.loss, progress.validation_loss, progress.rate});
    const absl::Status saved = trainer.Save(state);
    if (!saved.ok()) fmt::print(stderr, "\n{}\n", std::string(saved.message()));
  });
  if (live) fmt::print(stderr, "\n");
  const std::unique_ptr<nnue::Network> network = trainer.Quantize();
  making.last = log.last();
  Write(flags.output, network->Serialize());
  Write(flags.output + ".json", ManifestOf(*network, making));
  fmt::print("{} is written: {}; let a match decide\n", flags.output, network->Name());
}

int Main(int argc, char** argv) {
  Flags flags;
  TrainerOptions& trainer = flags.trainer;
  trainer.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  CLI::App app("Makes a net from the positions that `kibitz selfplay` wrote.", "kibitz train");
  app.add_option("--data", flags.data, "files of positions")->capture_default_str();
  app.add_option("--output", flags.output,
                 "the net; beside it go FILE.json, its manifest, FILE.tsv and FILE.svg with the losses, and\n"
                 "FILE.state to go on from")
      ->capture_default_str();
  app.add_flag("--resume", flags.resume, "go on from FILE.state, with the same data and flags");
  app.add_option("--positions", trainer.positions, "how many to learn from; each may come many times")
      ->capture_default_str()
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000'000}));
  app.add_option("--batch", trainer.batch, "positions a step")->capture_default_str()->check(CLI::Range(1, 1 << 22));
  app.add_option("--rate", trainer.rate, "how far a weight moves in a step at first")
      ->capture_default_str()
      ->check(CLI::Range(1e-6, 1.0));
  app.add_option("--decay", trainer.decay, "how weights shrink")->capture_default_str()->check(CLI::Range(0.0, 10.0));
  app.add_option("--result-share", trainer.result_share, "how much to trust the result against the search, 0 to 1")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  app.add_option("--scale", trainer.scale, "the labels' centipawns that score 73 %; 0: as the results say")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 10'000.0));
  app.add_option("--own-scale", trainer.own_scale, "how many centipawns of ours that shall be; 0: as many")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 10'000.0));
  app.add_option("--revision", flags.revision, "the revision of this program, for the manifest");
  app.add_option("--threads", trainer.threads, "threads to use")->capture_default_str()->check(CLI::Range(1, 256));
  app.add_option("--seed", trainer.seed, "other seeds give other nets")->capture_default_str();
  app.footer(
      "examples:\n  kibitz selfplay --positions 20000000 --data positions.bin\n"
      "  kibitz train --data positions.bin --positions 400000000 --output kibitz.net");
  return RunProgram(app, argc, argv, [&] { Train(flags); });
}

}  // namespace
}  // namespace kibitz::tuning

int main(int argc, char** argv) { return kibitz::tuning::Main(argc, argv); }
