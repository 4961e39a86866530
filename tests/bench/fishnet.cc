// Games analysed for a fishnet and reviewed, by the same pool with as many nodes: whether both say the same of them,
// and what the way through the protocol costs.

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "client/connection.h"
#include "client/fishnet/worker.h"
#include "client/http/http_client.h"
#include "engine/board/fen.h"
#include "engine/board/uci_move.h"
#include "tests/bench/program.h"
#include "tests/bench/race.h"
#include "tests/support/lichess/fishnet_api.h"
#include "tests/support/random_game.h"

namespace kibitz::bench {
namespace {

using nlohmann::json;
using std::chrono::steady_clock;

constexpr char kGames[] =
#include "tests/testdata/games.inc"
    ;
constexpr int kWorkers = 2;

struct Plan {
  // Random ones, besides the famous ones.
  int random_games = 79;
  int plies = 60;
  std::int64_t nodes = 20'000;
};
constexpr Plan kQuickPlan{.random_games = 4, .plies = 30, .nodes = 4'000};

// Of one game: its moves, and what the positions before them are worth to the side to move, from -1 (lost) to 1 (won).
struct Judged {
  std::vector<std::string> moves{};
  std::vector<double> chances{};
};

double ChanceOf(double centipawns) { return 2 / (1 + std::exp(-0.00368208 * centipawns)) - 1; }

double ChanceOf(const v1::Score& score) {
  if (!score.has_mate_in_moves()) return ChanceOf(score.centipawns());
  return score.mate_in_moves() > 0 ? 1 : -1;
}

double ChanceOf(const json& score) {
  if (score.contains("cp")) return ChanceOf(score["cp"].get<double>());
  return score["mate"].get<int>() > 0 ? 1 : -1;
}

// What a move is called by what it lost: 0 to 3.
int JudgementOf(const std::vector<double>& chances, std::size_t ply) {
  const double loss = chances[ply] + chances[ply + 1];
  return (loss >= 0.1 ? 1 : 0) + (loss >= 0.2 ? 1 : 0) + (loss >= 0.3 ? 1 : 0);
}

std::vector<std::string> RandomMoves(std::uint64_t seed, int plies) {
  RandomGame random(seed);
  Position position;
  std::vector<std::string> moves;
  for (int ply = 0; ply < plies; ++ply) {
    const Move move = random.PickMove(position);
    if (move.IsNone()) break;
    moves.push_back(ToUci(move, Variant::kStandard));
    position.MakeMove(move);
  }
  return moves;
}

std::vector<Judged> Review(const client::Connection& pool, const v1::AnalyzeGameRequest& game, const Plan& plan) {
  v1::AnalyzeGameRequest request = game;
  request.mutable_budget()->set_nodes_per_move(plan.nodes);
  std::vector<Judged> games;
  const auto hear = [&](const v1::AnalyzeGameResponse& event) {
    if (event.has_accepted()) {
      for (const auto& each : event.accepted().games()) {
        const auto plies = static_cast<std::size_t>(each.plies());
        games.push_back({std::vector<std::string>(plies), std::vector<double>(plies)});
      }
    }
    if (!event.has_ply()) return;
    Judged& judged = games.at(static_cast<std::size_t>(event.ply().game()));
    const v1::PlyReview& review = event.ply().review();
    judged.moves.at(static_cast<std::size_t>(review.ply() - 1)) = review.uci();
    judged.chances.at(static_cast<std::size_t>(review.ply() - 1)) = ChanceOf(review.before().score());
  };
  const absl::Status status = pool.client().AnalyzeGame(request, hear, pool.LongCall());
  if (!status.ok()) throw std::runtime_error(std::string(status.message()));
  return games;
}

std::vector<Judged> ReviewAll(const client::Connection& pool, const Plan& plan) {
  v1::AnalyzeGameRequest famous;
  famous.set_pgn(kGames);
  std::vector<Judged> games = Review(pool, famous, plan);
  for (int i = 0; i < plan.random_games; ++i) {
    v1::AnalyzeGameRequest random;
    for (const std::string& move : RandomMoves(static_cast<std::uint64_t>(i + 1), plan.plies)) {
      random.mutable_position()->add_moves(move);
    }
    for (Judged& judged : Review(pool, random, plan)) games.push_back(std::move(judged));
  }
  return games;
}

// The same games by the protocol.
std::vector<Judged> Work(const client::Connection& pool, const std::vector<Judged>& reviewed, const Plan& plan) {
  stand_in::FishnetQueue queue;
  stand_in::HttpServer http(stand_in::HttpServerOptions{});
  stand_in::AddFishnetApi(http, queue);
  if (!http.Start().ok()) throw std::runtime_error("the stand-in does not start");
  for (const Judged& game : reviewed) {
    queue.Add({.game_id = std::to_string(&game - reviewed.data()),
               .moves = game.moves,
               .nodes = plan.nodes,
               .timeout = absl::Minutes(1)});
  }
  const auto client = client::http::HttpClient::Open({.base_url = http.url() + "/fishnet"});
  if (!client.ok()) throw std::runtime_error("no client");
  client::fishnet::Api api(**client);
  client::fishnet::Worker worker(api, pool, {.cores = kWorkers, .engine = {.version = "1", .evaluation = "a net"}});
  std::jthread working([&](const std::stop_token& stop) { (void)worker.Run(stop); });
  if (!queue.AwaitAnswers(reviewed.size(), absl::Hours(2))) throw std::runtime_error("not all games were analysed");
  working.request_stop();
  working.join();
  if (!queue.complaints().empty()) throw std::runtime_error("the fishnet complains: " + queue.complaints().front());
  std::vector<Judged> games(reviewed.size());
  for (const auto& answer : queue.answers()) {
    Judged& game = games.at(std::stoul(answer.job.game_id));
    game.moves = answer.job.moves;
    for (const json& part : answer.body.at("analysis")) game.chances.push_back(ChanceOf(part.at("score")));
  }
  return games;
}

nlohmann::ordered_json Run(const Plan& plan) {
  const auto pool = client::Connection::Open({.embedded = {.workers = kWorkers, .hash_mb = 64}});
  if (!pool.ok()) throw std::runtime_error(std::string(pool.status().message()));
  const auto start = steady_clock::now();
  const std::vector<Judged> reviewed = ReviewAll(**pool, plan);
  const auto middle = steady_clock::now();
  (*pool)->ClearHash();
  const std::vector<Judged> worked = Work(**pool, reviewed, plan);
  const auto end = steady_clock::now();
  double difference = 0;
  int positions = 0;
  int judged = 0;
  int agreed = 0;
  for (std::size_t game = 0; game < reviewed.size(); ++game) {
    const std::vector<double>& one = reviewed[game].chances;
    const std::vector<double>& other = worked[game].chances;
    for (std::size_t ply = 0; ply < one.size(); ++ply, ++positions) difference += std::abs(one[ply] - other[ply]);
    for (std::size_t ply = 0; ply + 1 < one.size(); ++ply, ++judged) {
      agreed += JudgementOf(one, ply) == JudgementOf(other, ply) ? 1 : 0;
    }
  }
  nlohmann::ordered_json figures{{"games", reviewed.size()},
                                 {"positions", positions},
                                 {"mean_difference", Rounded(difference / positions)},
                                 {"judgements_agree", Rounded(static_cast<double>(agreed) / judged)},
                                 {"time_ratio", Rounded(std::chrono::duration<double>(end - middle) /
                                                        std::chrono::duration<double>(middle - start))}};
  fmt::print("{} games at {} nodes a position, by a fishnet's worker and by the review\n\n", reviewed.size(),
             plan.nodes);
  for (const auto& [name, value] : figures.items()) fmt::print("{:<20}{:>10}\n", name, value.dump());
  return figures;
}

}  // namespace
}  // namespace kibitz::bench

int main(int argc, char** argv) {
  using namespace kibitz::bench;  // NOLINT: wiring only
  return RunProgram({.name = "fishnet",
                     .description = "A fishnet's worker against the review of the same games",
                     .quick_help = "fewer games, fewer nodes",
                     .run = [](bool quick) { return Run(quick ? kQuickPlan : Plan{}); }},
                    argc, argv);
}
