// Reviews famous games over gRPC: what a review costs beside plain searching, in which order the positions of a game
// are best searched, what a store saves, and how far the judgements can be relied upon.

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/board/pgn.h"
#include "engine/board/position.h"
#include "engine/board/uci_move.h"
#include "engine/engine.h"
#include "grpcpp/grpcpp.h"
#include "kibitz/v1/analysis.grpc.pb.h"
#include "server/server_options.h"
#include "tests/bench/program.h"
#include "tests/bench/race.h"
#include "tests/bench/server_under_test.h"

namespace kibitz::bench {
namespace {

using std::chrono::steady_clock;

constexpr char kGames[] =
#include "tests/testdata/games.inc"
    ;
constexpr int kHashMb = 64;
constexpr int kWorkers = 2;
constexpr char kStoreVariable[] = "KIBITZ_BENCH_STORE";

struct Plan {
  int games = 20;
  std::int64_t nodes = 100'000;  // for each move
  int rounds = 3;
  std::int64_t deep_nodes = 1'000'000;  // to compare the judgements with
  int stored_seconds = 5;
  // For the orders: games of some thirty moves.
  int order_games = 3;
  int order_depth = 18;
};
constexpr Plan kQuickPlan{.games = 6,
                          .nodes = 20'000,
                          .rounds = 1,
                          .deep_nodes = 100'000,
                          .stored_seconds = 2,
                          .order_games = 1,
                          .order_depth = 12};

// Games of that many, from a place in the file on.
std::vector<PgnGame> ReadGames(int count, int first = 0) {
  std::vector<PgnGame> games;
  PgnReader reader(kGames);
  for (int i = 0; static_cast<int>(games.size()) < count; ++i) {
    std::optional<PgnGame> game = reader.NextReadable();
    if (!game.has_value() || game->defect.has_value()) throw std::runtime_error("a game cannot be read");
    if (i >= first) games.push_back(*std::move(game));
  }
  return games;
}

// Every position of a game, the first to the last.
std::vector<Position> PositionsOf(const PgnGame& game) {
  std::vector<Position> positions = {game.start};
  for (const PgnMove& each : game.moves) {
    positions.push_back(positions.back());
    positions.back().MakeMove(each.move);
    positions.back().ForgetUndo();
  }
  return positions;
}

double SecondsSince(steady_clock::time_point start) {
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

// Searches positions in their order, by so many threads that share a table. Returns the nodes of all.
std::int64_t SearchAll(Engine& engine, const std::vector<Position>& positions, const Limits& limits, int threads) {
  std::atomic<std::size_t> next{0};
  std::atomic<std::int64_t> nodes{0};
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i) {
    workers.emplace_back([&] {
      SearchMemory memory;
      SearchHost host;
      for (std::size_t place; (place = next++) < positions.size();) {
        AnalysisRequest request;
        request.position = positions[place];
        request.limits = limits;
        Search search(engine, std::move(request));
        nodes += search.Run(memory, host, [](const Analysis&) {}).analysis.nodes;
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  return nodes;
}

struct Review {
  double seconds = 0;
  std::int64_t nodes = 0;
  std::map<std::pair<int, int>, v1::Judgement> judgements;  // by game and ply
};

Review ReviewGames(const std::string& address, const std::vector<PgnGame>& games, std::int64_t nodes,
                   v1::Cache::Policy policy) {
  v1::AnalyzeGameRequest request;
  for (const PgnGame& game : games) absl::StrAppend(request.mutable_pgn(), ToPgn(game));
  request.mutable_budget()->set_nodes_per_move(nodes);
  request.mutable_cache()->set_policy(policy);
  grpc::ClientContext context;
  const auto stub = v1::AnalysisService::NewStub(Connect(address));
  Review review;
  const auto start = steady_clock::now();
  const auto stream = stub->AnalyzeGame(&context, request);
  for (v1::AnalyzeGameResponse event; stream->Read(&event);) {
    if (event.has_summary()) review.nodes += event.summary().nodes();
    if (event.has_ply())
      review.judgements[{event.ply().game(), event.ply().review().ply()}] = event.ply().review().judgement();
  }
  review.seconds = SecondsSince(start);
  if (const grpc::Status status = stream->Finish(); !status.ok()) throw std::runtime_error(status.error_message());
  return review;
}

// Nodes per second of a review, to those of threads that do nothing but search the same positions.
double MeasureSpeed(const Plan& plan) {
  std::vector<double> ratios;
  for (int round = 0; round < plan.rounds; ++round) {
    const std::vector<PgnGame> games = ReadGames(plan.games);
    std::vector<Position> positions;
    for (const PgnGame& game : games) {
      std::vector<Position> own = PositionsOf(game);
      positions.insert(positions.end(), own.rbegin(), own.rend());
    }
    Engine engine(kHashMb);
    engine.ClearHash();
    Limits limits;
    limits.nodes = plan.nodes;
    const auto start = steady_clock::now();
    const std::int64_t nodes = SearchAll(engine, positions, limits, kWorkers);
    const double plain = static_cast<double>(nodes) / SecondsSince(start);
    const auto server = StartServer();
    const Review review = ReviewGames(server->address(), games, plan.nodes, v1::Cache::POLICY_NONE);
    const double reviewed = static_cast<double>(review.nodes) / review.seconds;
    fmt::print("round {}: {:.0f} nodes a second in a review, {:.0f} in plain searches\n", round + 1, reviewed, plain);
    ratios.push_back(reviewed / plain);
  }
  return Median(ratios);
}

// Nodes that it takes to bring every position of some games to a depth, in one order or another.
struct Orders {
  double forwards = 0;
  double backwards = 0;
  double backwards_parallel = 0;
};

Orders MeasureOrders(const Plan& plan) {
  Orders orders;
  Limits limits;
  limits.depth = plan.order_depth;
  for (const PgnGame& game : ReadGames(plan.order_games, 6)) {
    std::vector<Position> positions = PositionsOf(game);
    const auto measure = [&](int threads) {
      Engine engine(kHashMb);
      engine.ClearHash();
      return static_cast<double>(SearchAll(engine, positions, limits, threads));
    };
    orders.forwards += measure(1);
    std::reverse(positions.begin(), positions.end());
    orders.backwards += measure(1);
    orders.backwards_parallel += measure(kWorkers);
  }
  return orders;
}

double ShareOfSame(const Review& a, const Review& b) {
  double same = 0;
  for (const auto& [place, judgement] : a.judgements) same += b.judgements.at(place) == judgement ? 1 : 0;
  return same / static_cast<double>(a.judgements.size());
}

// Answers from the store, while a search runs.
struct StoredAnswers {
  double p99_ms = 0;      // of one caller
  double per_second = 0;  // of many
};

// Asks for stored positions for a while, one after the other, by so many callers. Returns how long each answer took.
std::vector<double> AskStored(const std::string& address, const std::vector<PgnGame>& games, int callers,
                              std::chrono::seconds time) {
  std::vector<v1::AnalyzeRequest> requests;
  for (const PgnGame& game : games) {
    v1::AnalyzeRequest request;
    request.mutable_cache()->set_policy(v1::Cache::POLICY_ONLY);
    request.mutable_limits()->set_nodes(1);
    for (const PgnMove& each : game.moves) {
      requests.push_back(request);
      request.mutable_position()->add_moves(ToUci(each.move, Variant::kStandard));
    }
  }
  std::vector<std::vector<double>> seconds(static_cast<std::size_t>(callers));
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  const auto end = steady_clock::now() + time;
  for (int caller = 0; caller < callers; ++caller) {
    threads.emplace_back([&, caller] {
      const auto stub = v1::AnalysisService::NewStub(Connect(address));
      for (std::size_t i = static_cast<std::size_t>(caller); steady_clock::now() < end; ++i) {
        grpc::ClientContext context;
        const auto start = steady_clock::now();
        const auto stream = stub->Analyze(&context, requests[i % requests.size()]);
        v1::AnalyzeResponse event;
        while (stream->Read(&event)) continue;
        const bool stored = stream->Finish().ok() && event.final().stop_reason() == v1::STOP_REASON_STORED;
        seconds[static_cast<std::size_t>(caller)].push_back(SecondsSince(start));
        wrong += stored ? 0 : 1;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<double> all;
  for (const std::vector<double>& each : seconds) all.insert(all.end(), each.begin(), each.end());
  // A position that repeats an earlier one is not stored.
  if (wrong * 50 > static_cast<int>(all.size()))
    throw std::runtime_error(absl::StrCat(wrong.load(), " were not stored"));
  return all;
}

StoredAnswers MeasureStored(const std::string& address, const std::vector<PgnGame>& games, int seconds) {
  const auto stub = v1::AnalysisService::NewStub(Connect(address));
  grpc::ClientContext context;
  v1::AnalyzeRequest endless;
  endless.mutable_limits()->set_infinite(true);
  endless.mutable_cache()->set_policy(v1::Cache::POLICY_NONE);
  const auto search = stub->Analyze(&context, endless);
  v1::AnalyzeResponse event;
  search->Read(&event);
  StoredAnswers answers;
  std::vector<double> alone = AskStored(address, games, 1, std::chrono::seconds(seconds));
  std::sort(alone.begin(), alone.end());
  answers.p99_ms = alone[alone.size() * 99 / 100] * 1000;
  answers.per_second =
      static_cast<double>(AskStored(address, games, 16, std::chrono::seconds(seconds)).size()) / seconds;
  context.TryCancel();
  search->Finish();
  return answers;
}

nlohmann::ordered_json Run(const Plan& plan) {
  nlohmann::ordered_json figures;
  const double speed = MeasureSpeed(plan);
  fmt::print("\n{:<62}{:>10.3f}\n", "nodes per second of a review, to plain searching", speed);
  figures["review_speed_ratio"] = Rounded(speed);

  const std::filesystem::path store =
      std::filesystem::temp_directory_path() / absl::StrCat("kibitz-bench-", getpid(), ".db");
  setenv(kStoreVariable, store.c_str(), 1);
  {
    const auto server = StartServer();
    const std::vector<PgnGame> games = ReadGames(plan.games);
    const Review first = ReviewGames(server->address(), games, plan.nodes, v1::Cache::POLICY_USE);
    std::this_thread::sleep_for(std::chrono::seconds(1));  // it is written behind
    const Review second = ReviewGames(server->address(), games, plan.nodes, v1::Cache::POLICY_USE);
    fmt::print("{:<62}{:>9.1f}x\n", "the same review again, from the store", first.seconds / second.seconds);
    fmt::print("{:<62}{:>10.3f}\n", "judgements that are the same then", ShareOfSame(first, second));
    figures["stored_review_speedup"] = Rounded(first.seconds / second.seconds);
    figures["stored_judgements_same"] = Rounded(ShareOfSame(first, second));
    const StoredAnswers answers = MeasureStored(server->address(), games, plan.stored_seconds);
    fmt::print("{:<62}{:>7.2f} ms\n", "a stored answer beside a search, p99", answers.p99_ms);
    fmt::print("{:<62}{:>10.0f}\n", "stored answers a second beside a search", answers.per_second);
    figures["stored_answer_p99_ms"] = Rounded(answers.p99_ms);
    figures["stored_answers_per_second"] = Rounded(answers.per_second);
    const Review deep = ReviewGames(server->address(), games, plan.deep_nodes, v1::Cache::POLICY_NONE);
    const std::string words =
        fmt::format("judgements that are the same at {} and {} nodes a move", plan.nodes, plan.deep_nodes);
    fmt::print("{:<62}{:>10.3f}\n", words, ShareOfSame(first, deep));
    figures["stable_judgements"] = Rounded(ShareOfSame(first, deep));
    std::map<std::pair<int, int>, int> changes;
    for (const auto& [place, judgement] : first.judgements) {
      const v1::Judgement other = deep.judgements.at(place);
      if (other != judgement) ++changes[{judgement, other}];
    }
    for (const auto& [change, count] : changes) {
      fmt::print("  {:>4} {} become {}\n", count, v1::Judgement_Name(change.first), v1::Judgement_Name(change.second));
    }
  }
  for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(store.string() + suffix);

  const Orders orders = MeasureOrders(plan);
  fmt::print("\nnodes to depth {} on all positions of {} games, in millions\n", plan.order_depth, plan.order_games);
  fmt::print("{:<62}{:>10.1f}\n{:<62}{:>10.1f}\n{:<62}{:>10.1f}\n", "  forwards", orders.forwards / 1e6, "  backwards",
             orders.backwards / 1e6, "  backwards, two at a time", orders.backwards_parallel / 1e6);
  figures["forwards_mnodes"] = Rounded(orders.forwards / 1e6);
  figures["backwards_mnodes"] = Rounded(orders.backwards / 1e6);
  figures["backwards_parallel_mnodes"] = Rounded(orders.backwards_parallel / 1e6);
  return figures;
}

server::ServerOptions Options() {
  const char* store = std::getenv(kStoreVariable);
  server::ServerOptions options{.workers = kWorkers, .hash_mb = kHashMb};
  if (store != nullptr) options.store = store;
  return options;
}

}  // namespace
}  // namespace kibitz::bench

int main(int argc, char** argv) {
  using namespace kibitz::bench;  // NOLINT: wiring only
  return RunProgram({.name = "review",
                     .description = "Reviews famous games: its speed, what a store saves, how stable the judgements "
                                    "are, and in which order positions are best searched.",
                     .quick_help = "half a minute instead of twenty; the figures are rough",
                     .run = [](bool quick) { return Run(quick ? kQuickPlan : Plan()); },
                     .serve = [] { return Serve(Options()); }},
                    argc, argv);
}
