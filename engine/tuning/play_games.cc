// kibitz selfplay: makes positions to learn from.

#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/book/polyglot_book.h"
#include "engine/engine.h"
#include "engine/tuning/program.h"
#include "engine/tuning/record_file.h"
#include "engine/tuning/seen_positions.h"
#include "engine/tuning/self_play.h"
#include "engine/tuning/statistics.h"

namespace kibitz::tuning {
namespace {

using Clock = std::chrono::steady_clock;

struct Flags {
  std::string data = "positions.bin";
  std::string book;
  int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  std::uint64_t positions = 1'000'000;
  std::uint64_t seed = 1;
  std::string evaluation = kDefaultEvaluation;
  std::string eval_file;
  SelfPlayOptions play;
};

std::atomic<bool> interrupted = false;

void Check(const absl::Status& status) {
  if (!status.ok()) throw std::runtime_error(std::string(status.message()));
}

// A file in the making, with the statistics beside it, from which an interrupted run goes on.
class Collection {
 public:
  explicit Collection(const Flags& flags) : path_(flags.data + ".json"), statistics_(Begin(flags)) {
    absl::StatusOr<RecordWriter> writer = RecordWriter::Open(flags.data, statistics_.contents.positions);
    Check(writer.status());
    writer_.emplace(*std::move(writer));
    absl::StatusOr<RecordReader> reader = RecordReader::Open(flags.data);
    if (statistics_.contents.positions == 0) return;
    Check(reader.status());
    std::vector<Record> records;
    do {
      reader->Next(1 << 16, records);
      for (const Record& record : records) seen_.Add(record);
    } while (!records.empty());
  }

  std::uint64_t NextGame() { return statistics_.next_game++; }

  void Add(const PlayedGame& game) {
    std::vector<Record> fresh;
    for (const Record& record : game.records) {
      if (seen_.Add(record)) {
        fresh.push_back(record);
        statistics_.contents.Count(record);
      } else {
        ++statistics_.duplicates;
      }
    }
    ++statistics_.games;
    statistics_.plies += static_cast<std::uint64_t>(game.plies);
    ++statistics_.starts[static_cast<std::size_t>(game.start)];
    ++statistics_.results[static_cast<std::size_t>(game.half_points)];
    Check(writer_->Add(fresh));
  }

  void Save() {
    Check(writer_->Sync());
    Check(statistics_.Write(path_));
  }

  const Statistics& statistics() const { return statistics_; }

 private:
  Statistics Begin(const Flags& flags) const {
    Statistics fresh;
    fresh.engine = absl::StrCat(EngineVersion(), ", ", EvaluationName());
    fresh.seed = flags.seed;
    fresh.nodes = flags.play.nodes;
    fresh.siblings = flags.play.siblings;
    fresh.sibling_nodes = flags.play.sibling_nodes;
    fresh.book = std::filesystem::path(flags.book).filename();
    if (!std::filesystem::exists(flags.data)) return fresh;
    const absl::StatusOr<Statistics> before = Statistics::Read(path_);
    Check(before.status());
    const auto way = [](const Statistics& s) {
      return std::tie(s.engine, s.seed, s.nodes, s.siblings, s.sibling_nodes, s.book);
    };
    if (way(*before) != way(fresh)) {
      throw std::runtime_error(flags.data + " was made in another way (see " + path_ + "); name another file");
    }
    return *before;
  }

  const std::string path_;
  Statistics statistics_;
  std::optional<RecordWriter> writer_;
  SeenPositions seen_;
};

std::string Describe(const Statistics& statistics, std::uint64_t goal, double rate) {
  const auto positions = static_cast<double>(statistics.contents.positions);
  const double left = rate > 0 ? std::max(0.0, static_cast<double>(goal) - positions) / rate : 0;
  return fmt::format("{:.1f} of {:.1f} million positions, {} games, {:.0f} a second, {:.0f} min left", positions / 1e6,
                     static_cast<double>(goal) / 1e6, statistics.games, rate, left / 60);
}

// Plays until there are enough positions. What was begun when it is interrupted is played to its end.
void Play(Flags flags) {
  Check(SetEvaluation(flags.evaluation, flags.eval_file));
  std::optional<PolyglotBook> book;
  if (!flags.book.empty()) {
    absl::StatusOr<PolyglotBook> opened = PolyglotBook::Open(flags.book);
    Check(opened.status());
    flags.play.book = &book.emplace(*std::move(opened));
  }
  std::signal(SIGINT, [](int) { interrupted = true; });
  std::signal(SIGTERM, [](int) { interrupted = true; });

  Collection collection(flags);
  const std::uint64_t before = collection.statistics().contents.positions;
  std::mutex mutex;  // guards what follows, and the collection
  std::condition_variable changed;
  int playing = flags.threads;
  std::optional<std::string> failure;

  std::vector<std::thread> threads;
  for (int i = 0; i < flags.threads; ++i) {
    threads.emplace_back([&] {
      std::unique_lock lock(mutex);
      while (!interrupted && !failure && collection.statistics().contents.positions < flags.positions) {
        const std::uint64_t number = collection.NextGame();
        lock.unlock();
        const PlayedGame game = PlayGame(flags.seed * 1'000'000'007 + number, flags.play);
        lock.lock();
        try {
          collection.Add(game);
        } catch (const std::exception& error) {
          failure = error.what();
        }
      }
      --playing;
      changed.notify_one();
    });
  }

  const bool live = isatty(STDERR_FILENO) == 1;
  const auto start = Clock::now();
  {
    std::unique_lock lock(mutex);
    auto saved = start;
    while (playing > 0) {
      changed.wait_for(lock, std::chrono::seconds(1));
      const auto now = Clock::now();
      const bool save = now - saved >= std::chrono::minutes(1);
      if (!live && !save) continue;
      const double seconds = std::chrono::duration<double>(now - start).count();
      const double rate = static_cast<double>(collection.statistics().contents.positions - before) / seconds;
      fmt::print(stderr, "{}{}{}", live ? "\r\x1b[K" : "", Describe(collection.statistics(), flags.positions, rate),
                 live ? "" : "\n");
      if (!save) continue;
      saved = now;
      try {
        collection.Save();
      } catch (const std::exception& error) {
        failure = error.what();
      }
    }
  }
  for (std::thread& thread : threads) thread.join();
  if (live) fmt::print(stderr, "\n");
  if (failure) throw std::runtime_error(*failure);
  collection.Save();
  const Statistics& end = collection.statistics();
  fmt::print("{} positions of {} games ({} beside them, {} met before) in {}\n", end.contents.positions, end.games,
             end.contents.siblings, end.duplicates, flags.data);
}

int Main(int argc, char** argv) {
  Flags flags;
  CLI::App app(
      "Plays the engine against itself and writes down the quiet positions of the games and beside them. Goes on with "
      "a\n"
      "file that was begun; what it holds is counted in FILE.json.",
      "kibitz selfplay");
  app.add_option("--data", flags.data, "the file to add to, 32 bytes a position")->capture_default_str();
  app.add_option("--positions", flags.positions, "how many it shall hold")
      ->capture_default_str()
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{10'000'000'000}));
  app.add_option("--threads", flags.threads, "games at a time")->capture_default_str()->check(CLI::Range(1, 1024));
  app.add_option("--seed", flags.seed, "other seeds give other games")->capture_default_str();
  app.add_option("--nodes", flags.play.nodes, "how long to think about a move, give or take a half")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000'000));
  app.add_option("--siblings", flags.play.siblings, "random moves to try beside each move of a game")
      ->capture_default_str()
      ->check(CLI::Range(0, 100));
  app.add_option("--sibling-nodes", flags.play.sibling_nodes, "how long to think after each of these")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000'000));
  app.add_option("--evaluation", flags.evaluation, "how it evaluates positions")
      ->capture_default_str()
      ->check(CLI::IsMember({kNetEvaluation, kClassicalEvaluation}));
  app.add_option("--eval-file", flags.eval_file, "a net for that; none: the one that Kibitz carries");
  app.add_option("--book", flags.book, "a Polyglot book, for some of the openings");
  app.footer(
      "examples:\n  kibitz selfplay --positions 20000000 --data positions.bin\n"
      "  nice -n 19 kibitz selfplay --seed 2 --nodes 5000 --siblings 0 --data deep.bin");
  return RunProgram(app, argc, argv, [&] { Play(flags); });
}

}  // namespace
}  // namespace kibitz::tuning

int main(int argc, char** argv) { return kibitz::tuning::Main(argc, argv); }
