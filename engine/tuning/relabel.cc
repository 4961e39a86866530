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
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/tuning/labelling.h"
#include "engine/tuning/program.h"
#include "engine/tuning/teacher.h"

namespace kibitz::tuning {
namespace {

using Clock = std::chrono::steady_clock;

struct Flags {
  Labelling::Options files;
  int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  Teacher::Options teacher;
};

std::atomic<bool> interrupted = false;

void Check(const absl::Status& status) {
  if (!status.ok()) throw std::runtime_error(std::string(status.message()));
}

template <typename Value>
Value Checked(absl::StatusOr<Value> value) {
  Check(value.status());
  return *std::move(value);
}

Teacher StartTeacher(const Flags& flags) {
  Teacher::Options options = flags.teacher;
  options.lines = std::max(1, flags.files.lines);
  return Checked(Teacher::Start(options));
}

// One thread's share: block after block, until there is none.
void Work(Labelling& labelling, Teacher teacher, int lines) {
  while (!interrupted) {
    Labelling::Block block = labelling.Take();
    if (block.records.empty()) return;
    std::vector<Record> labelled;
    if (lines > 0) {
      labelled = Checked(teacher.FollowLines(Checked(Ask(block, lines))));
    } else {
      labelled = block.records;
      Check(teacher.Label(labelled));
    }
    Check(labelling.Put(block, std::move(labelled)));
  }
}

std::string Describe(const LabelStatistics& statistics, std::size_t size, double rate) {
  const auto left = static_cast<double>(size) - static_cast<double>(statistics.taken);
  return fmt::format("{:.2f} of {:.2f} million positions, {:.2f} million valued, {:.0f} a second, {:.0f} min left",
                     static_cast<double>(statistics.taken) / 1e6, static_cast<double>(size) / 1e6,
                     static_cast<double>(statistics.contents.positions) / 1e6, rate,
                     rate > 0 ? std::max(0.0, left) / rate / 60 : 0.0);
}

// Tells how it goes, and saves it each minute, until nobody works any more.
void Watch(Labelling& labelling, const std::atomic<int>& working) {
  const bool live = isatty(STDERR_FILENO) == 1;
  const auto start = Clock::now();
  const std::uint64_t before = labelling.statistics().taken;
  for (int tick = 1; working > 0; ++tick) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    if (tick % (live ? 2 : 120) != 0) continue;
    const LabelStatistics statistics = labelling.statistics();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const double rate = static_cast<double>(statistics.taken - before) / seconds;
    fmt::print(stderr, "{}{}{}", live ? "\r\x1b[K" : "", Describe(statistics, labelling.size(), rate),
               live ? "" : "\n");
    if (tick % 120 == 0) Check(labelling.Save());
  }
  if (live) fmt::print(stderr, "\n");
}

void Relabel(Flags flags) {
  std::signal(SIGINT, [](int) { interrupted = true; });
  std::signal(SIGTERM, [](int) { interrupted = true; });
  std::vector<Teacher> teachers;
  for (int i = 0; i < flags.threads; ++i) teachers.push_back(StartTeacher(flags));
  flags.files.teacher = teachers.front().name();
  flags.files.limit = flags.teacher.limit;
  const std::unique_ptr<Labelling> labelling = Checked(Labelling::Open(flags.files));

  std::atomic<int> working = flags.threads;
  std::mutex mutex;  // guards the failure
  std::exception_ptr failure;
  const auto fail = [&] {
    const std::scoped_lock lock(mutex);
    failure = std::current_exception();
    interrupted = true;
  };
  std::vector<std::thread> threads;
  for (Teacher& teacher : teachers) {
    threads.emplace_back([&] {
      try {
        Work(*labelling, std::move(teacher), flags.files.lines);
      } catch (...) {
        fail();
      }
      --working;
    });
  }
  try {
    Watch(*labelling, working);
  } catch (...) {
    fail();
  }
  for (std::thread& thread : threads) thread.join();
  Check(labelling->Save());
  if (failure) std::rethrow_exception(failure);
  const LabelStatistics end = labelling->statistics();
  fmt::print("{} of {} positions gave {} valued ones ({} met before) in {}\n", end.taken, labelling->size(),
             end.contents.positions, end.duplicates, flags.files.output);
}

int Main(int argc, char** argv) {
  Flags flags;
  CLI::App app(
      "Has another engine value the positions that `kibitz selfplay` wrote. Goes on with an output that was begun;\n"
      "what it holds is counted in FILE.json.",
      "kibitz relabel");
  app.add_option("--data", flags.files.data, "the positions")->capture_default_str();
  app.add_option("--output", flags.files.output, "what becomes of them")->capture_default_str();
  app.add_option("--engine", flags.teacher.program, "a UCI engine that takes commands while it searches")
      ->capture_default_str();
  app.add_option("--limit", flags.teacher.limit, "how far it searches, in UCI's words after \"go\"")
      ->capture_default_str();
  app.add_option("--lines", flags.files.lines,
                 "0: the values of the positions; else of each so many random moves at once, and the quiet\n"
                 "positions where its lines end are written instead, each with its value")
      ->capture_default_str()
      ->check(CLI::Range(0, 256));
  app.add_option("--seed", flags.files.seed, "other seeds ask for other moves")->capture_default_str();
  app.add_option("--hash", flags.teacher.hash_mb, "its table in MB")->capture_default_str()->check(CLI::Range(1, 1024));
  app.add_option("--threads", flags.threads, "engines at a time")->capture_default_str()->check(CLI::Range(1, 256));
  app.footer(
      "examples:\n  kibitz relabel --data positions.bin --output labelled.bin\n"
      "  kibitz relabel --data games.bin --lines 16 --output lines.bin");
  return RunProgram(app, argc, argv, [&] { Relabel(flags); });
}

}  // namespace
}  // namespace kibitz::tuning

int main(int argc, char** argv) { return kibitz::tuning::Main(argc, argv); }
