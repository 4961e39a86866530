// Many users of one external engine at once, for seconds or for half an hour: how long a board waits for its first
// lines, whether the broker is content with all it is told, and whether anything grows meanwhile.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "client/connection.h"
#include "client/http/http_client.h"
#include "client/lichess/external_engine/provider.h"
#include "engine/board/fen.h"
#include "engine/board/uci_move.h"
#include "tests/bench/race.h"
#include "tests/support/lichess/external_engine_api.h"
#include "tests/support/lichess/stand_in.h"
#include "tests/support/random_game.h"

namespace kibitz::bench {
namespace {

using nlohmann::json;
using std::chrono::steady_clock;

constexpr char kSecret[] = "a-secret-of-the-provider";

struct Plan {
  int seconds = 60;
  int users = 20;
  int workers = 2;
};

// What this process holds.
struct Holdings {
  int threads = 0;
  int descriptors = 0;
  int memory_mb = 0;
};

Holdings Look() {
  Holdings now;
  const auto count = [](const char* folder) {
    return static_cast<int>(std::distance(std::filesystem::directory_iterator(folder), {}));
  };
  now.threads = count("/proc/self/task");
  now.descriptors = count("/proc/self/fd");
  std::ifstream pages("/proc/self/statm");
  long size = 0;
  long resident = 0;
  pages >> size >> resident;
  now.memory_mb = static_cast<int>(resident * 4096 >> 20);
  return now;
}

// A board: asks about a position of a random game, looks for a while, and goes on to the next.
class User {
 public:
  User(stand_in::EngineBroker& broker, json engine, std::uint64_t seed)
      : broker_(broker), engine_(std::move(engine)), random_(seed) {}

  void Live(steady_clock::time_point end) {
    while (steady_clock::now() < end) LookAtOne();
  }

  std::vector<double> first_ms{};
  int ended = 0;
  int unanswered = 0;

 private:
  json NextWork() {
    Position position;
    json moves = json::array();
    for (int plies = random_.Below(40); plies > 0; --plies) {
      const Move move = random_.PickMove(position);
      if (move.IsNone()) break;
      moves.push_back(ToUci(move, Variant::kChess960));
      position.MakeMove(move);
    }
    json work{{"sessionId", "s"},   {"threads", 1},
              {"hash", 16},         {"multiPv", 1 + random_.Below(3)},
              {"variant", "chess"}, {"initialFen", kStartFen},
              {"moves", moves}};
    if (random_.Below(3) == 0) work["depth"] = 10;
    return work;
  }

  void LookAtOne() {
    const auto start = steady_clock::now();
    auto board = broker_.Analyse(engine_.at("id"), engine_.at("clientSecret"), NextWork());
    if (!board.ok()) throw std::runtime_error(std::string(board.status().message()));
    const auto leave = start + std::chrono::milliseconds(500 + random_.Below(4000));
    // Who waits for long gives up, and is counted.
    if (!(*board)->Next(std::chrono::seconds(30))) {
      ++unanswered;
    } else {
      first_ms.push_back(std::chrono::duration<double, std::milli>(steady_clock::now() - start).count());
      while (!(*board)->exhausted() && steady_clock::now() < leave) (*board)->Next(std::chrono::milliseconds(100));
    }
    ended += (*board)->exhausted() ? 1 : 0;
    (*board)->Close();
  }

  stand_in::EngineBroker& broker_;
  const json engine_;
  RandomGame random_;
};

json Run(const Plan& plan) {
  stand_in::EngineBroker broker({.poll = absl::Seconds(1)});
  stand_in::StandIn lichess;
  stand_in::AddExternalEngineApi(lichess.http(), lichess.world(), broker);
  if (!lichess.Start().ok()) throw std::runtime_error("the stand-in does not start");
  const auto engine = broker.Create(
      "user",
      {{"name", "Kibitz"}, {"maxThreads", 1}, {"maxHash", 64}, {"defaultDepth", 20}, {"providerSecret", kSecret}});
  const auto pool = client::Connection::Open({.embedded = {.workers = plan.workers, .hash_mb = 64}});
  const auto http = client::http::HttpClient::Open({.base_url = lichess.url()});
  if (!engine.ok() || !pool.ok() || !http.ok()) throw std::runtime_error("the engine does not start");
  client::lichess::Provider provider(
      **http, **pool,
      {.provider_secret = kSecret, .concurrency = plan.users + 4, .caps = {.max_threads = 1, .max_depth = 100}});
  std::jthread working([&](const std::stop_token& stop) { (void)provider.Run(stop); });

  const auto start = steady_clock::now();
  std::vector<User> users;
  for (int i = 0; i < plan.users; ++i) users.emplace_back(broker, *engine, static_cast<std::uint64_t>(i + 1));
  std::vector<std::thread> threads;
  for (User& user : users) {
    threads.emplace_back([&] { user.Live(start + std::chrono::seconds(plan.seconds)); });
  }
  // What grows, grows after a quarter of the time too.
  std::this_thread::sleep_until(start + std::chrono::seconds(plan.seconds) / 4);
  const Holdings early = Look();
  std::this_thread::sleep_until(start + std::chrono::seconds(plan.seconds) - std::chrono::milliseconds(200));
  const Holdings late = Look();
  for (std::thread& thread : threads) thread.join();
  working.request_stop();
  working.join();

  std::vector<double> first;
  int ended = 0;
  int unanswered = 0;
  for (const User& user : users) {
    first.insert(first.end(), user.first_ms.begin(), user.first_ms.end());
    ended += user.ended;
    unanswered += user.unanswered;
  }
  if (first.empty()) throw std::runtime_error("no board was shown anything");
  std::sort(first.begin(), first.end());
  const client::lichess::ProviderCounts counts = provider.counts();
  json figures{{"seconds", plan.seconds},
               {"users", plan.users},
               {"analyses", first.size()},
               {"ended_by_themselves", ended},
               {"unanswered", unanswered},
               {"first_lines_ms", Rounded(first[first.size() / 2])},
               {"first_lines_p99_ms", Rounded(first[first.size() * 99 / 100])},
               {"failed", counts.failed},
               {"complaints", broker.complaints().size()},
               {"bounded_first_lines", broker.bounded()},
               {"threads_grown", late.threads - early.threads},
               {"descriptors_grown", late.descriptors - early.descriptors},
               {"memory_grown_mb", late.memory_mb - early.memory_mb},
               {"live_afterwards", (*pool)->client().GetServerInfo((*pool)->QuickCall())->live_analyses()}};
  for (const std::string& complaint : broker.complaints()) fmt::print("the broker complains: {}\n", complaint);
  return figures;
}

}  // namespace
}  // namespace kibitz::bench

int main(int argc, char** argv) {
  CLI::App app("Many users of one external engine, against a stand-in for Lichess and its broker",
               "kibitz bench external_engine");
  kibitz::bench::Plan plan;
  bool json = false;
  bool quick = false;
  app.add_option("--seconds", plan.seconds, "for how long; 1800 is the long form")->check(CLI::Range(2, 86'400));
  app.add_option("--users", plan.users, "boards at a time")->check(CLI::Range(1, 500));
  app.add_option("--workers", plan.workers, "threads that search")->check(CLI::Range(1, 1024));
  app.add_flag("--quick", quick, "ten seconds");
  app.add_flag("--json", json, "print the figures as one JSON object on the last line");
  try {
    app.parse(argc, argv);
    if (quick) plan.seconds = 10;
    const auto figures = kibitz::bench::Run(plan);
    for (const auto& [name, value] : figures.items()) fmt::print("{:<24}{:>12}\n", name, value.dump());
    if (json) fmt::print("\n{}\n", figures.dump());
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "kibitz bench external_engine: {}\n", error.what());
    return 1;
  }
}
