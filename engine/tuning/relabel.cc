// kibitz relabel: has another engine value positions.

#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/tuning/program.h"
#include "engine/tuning/record_file.h"
#include "engine/tuning/teacher.h"

namespace kibitz::tuning {
namespace {

using Clock = std::chrono::steady_clock;

// Positions that one engine is asked for at once, and that stay together in the file.
constexpr std::size_t kBlock = 256;

struct Flags {
  std::string data = "positions.bin";
  std::string output = "labelled.bin";
  int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  Teacher::Options teacher;
};

std::atomic<bool> interrupted = false;

void Check(const absl::Status& status) {
  if (!status.ok()) throw std::runtime_error(std::string(status.message()));
}

// The two files: record by record one is the other with new values, so an interrupted run goes on where the output
// ends, and a later one takes what has come to the data since.
class Files {
 public:
  explicit Files(const Flags& flags)
      : reader_(Opened(RecordReader::Open(flags.data))),
        done_(Done(flags.output)),
        writer_(Writer(flags.output, done_)) {
    std::vector<Record> records;
    for (std::size_t left = done_; left > 0; left -= records.size()) {
      reader_.Next(std::min(left, kBlock), records);
      if (records.empty()) throw std::runtime_error(flags.output + " holds more than " + flags.data);
    }
    taken_ = done_;
  }

  // The next block, and its number; an empty one at the end.
  std::uint64_t Take(std::vector<Record>& records) {
    const std::scoped_lock lock(mutex_);
    reader_.Next(kBlock, records);
    taken_ += records.size();
    return next_number_++;
  }

  // Blocks are written in the order in which they were taken.
  void Put(std::uint64_t number, std::vector<Record> records) {
    const std::scoped_lock lock(mutex_);
    waiting_.emplace(number, std::move(records));
    for (auto first = waiting_.find(next_written_); first != waiting_.end(); first = waiting_.find(next_written_)) {
      Check(writer_.Add(first->second));
      done_ += first->second.size();
      waiting_.erase(first);
      ++next_written_;
    }
  }

  void Sync() {
    const std::scoped_lock lock(mutex_);
    Check(writer_.Sync());
  }

  std::size_t done() {
    const std::scoped_lock lock(mutex_);
    return done_;
  }
  std::size_t size() const { return reader_.size(); }

 private:
  template <typename Value>
  static Value Opened(absl::StatusOr<Value> value) {
    Check(value.status());
    return *std::move(value);
  }
  static std::size_t Done(const std::string& output) {
    return std::filesystem::exists(output) ? Opened(RecordReader::Open(output)).size() : 0;
  }
  static RecordWriter Writer(const std::string& output, std::size_t keep) {
    return Opened(RecordWriter::Open(output, keep));
  }

  std::mutex mutex_;  // guards what follows
  RecordReader reader_;
  std::size_t done_;
  RecordWriter writer_;
  std::size_t taken_ = 0;
  std::uint64_t next_number_ = 0;
  std::uint64_t next_written_ = 0;
  std::map<std::uint64_t, std::vector<Record>> waiting_;  // for blocks before them
};

void Relabel(const Flags& flags) {
  std::signal(SIGINT, [](int) { interrupted = true; });
  std::signal(SIGTERM, [](int) { interrupted = true; });
  Files files(flags);
  const std::size_t before = files.done();
  std::atomic<int> working = flags.threads;
  std::mutex failure_mutex;
  std::exception_ptr failure;

  std::vector<std::thread> threads;
  for (int i = 0; i < flags.threads; ++i) {
    threads.emplace_back([&] {
      try {
        absl::StatusOr<Teacher> teacher = Teacher::Start(flags.teacher);
        Check(teacher.status());
        std::vector<Record> records;
        while (!interrupted) {
          const std::uint64_t number = files.Take(records);
          if (records.empty()) break;
          Check(teacher->Label(records));
          files.Put(number, std::move(records));
        }
      } catch (...) {
        const std::scoped_lock lock(failure_mutex);
        failure = std::current_exception();
        interrupted = true;
      }
      --working;
    });
  }

  const bool live = isatty(STDERR_FILENO) == 1;
  const auto start = Clock::now();
  for (int tick = 1; working > 0; ++tick) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    if (tick % (live ? 2 : 120) != 0) continue;
    const std::size_t done = files.done();
    const double rate =
        static_cast<double>(done - before) / std::chrono::duration<double>(Clock::now() - start).count();
    fmt::print(stderr, "{}{:.2f} of {:.2f} million positions, {:.0f} a second, {:.0f} min left{}",
               live ? "\r\x1b[K" : "", static_cast<double>(done) / 1e6, static_cast<double>(files.size()) / 1e6, rate,
               rate > 0 ? static_cast<double>(files.size() - done) / rate / 60 : 0.0, live ? "" : "\n");
  }
  for (std::thread& thread : threads) thread.join();
  if (live) fmt::print(stderr, "\n");
  files.Sync();
  if (failure) std::rethrow_exception(failure);
  fmt::print("{} of {} positions are valued in {}\n", files.done(), files.size(), flags.output);
}

int Main(int argc, char** argv) {
  Flags flags;
  CLI::App app(
      "Has another engine value the positions that `kibitz selfplay` wrote. Goes on with an output that was begun.",
      "kibitz relabel");
  app.add_option("--data", flags.data, "the positions")->capture_default_str();
  app.add_option("--output", flags.output, "the same with the engine's values")->capture_default_str();
  app.add_option("--engine", flags.teacher.program, "a UCI engine that takes commands while it searches")
      ->capture_default_str();
  app.add_option("--limit", flags.teacher.limit, "how far it searches, in UCI's words after \"go\"")
      ->capture_default_str();
  app.add_option("--hash", flags.teacher.hash_mb, "its table in MB")->capture_default_str()->check(CLI::Range(1, 1024));
  app.add_option("--threads", flags.threads, "engines at a time")->capture_default_str()->check(CLI::Range(1, 256));
  app.footer(
      "examples:\n  kibitz relabel --data positions.bin --output labelled.bin\n"
      "  kibitz relabel --engine \"stockfish\" --limit \"nodes 500\" --output deep.bin");
  return RunProgram(app, argc, argv, [&] { Relabel(flags); });
}

}  // namespace
}  // namespace kibitz::tuning

int main(int argc, char** argv) { return kibitz::tuning::Main(argc, argv); }
