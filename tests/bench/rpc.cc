// Races LegalMoves against the health check, which does no work, on one server, and against a server that only answers
// with as many bytes: what a call costs beyond the transport. Then positions in batches against single calls, and calls
// after idle times, where threads that sleep show.

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <future>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "grpc/health/v1/health.grpc.pb.h"
#include "grpcpp/grpcpp.h"
#include "kibitz/v1/analysis.grpc.pb.h"
#include "server/server_options.h"
#include "tests/bench/answering_server.h"
#include "tests/bench/program.h"
#include "tests/bench/race.h"
#include "tests/bench/rpc_load.h"
#include "tests/bench/server_under_test.h"
#include "tests/integration/server_process.h"

namespace kibitz::bench {
namespace {

using integration::ServerProcess;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

// A middlegame with all minor pieces in play.
constexpr char kMiddlegame[] = "2rq1rk1/pb1n1ppp/1p2pn2/2b5/2B5/1PN1PN2/PB2QPPP/R4RK1 w - - 0 13";
constexpr int kMiddlegameMoves = 41;
constexpr int kInFlight[] = {1, 8, 64, 512};
constexpr int kJudgedInFlight = 64;
constexpr int kConnections = 2;
constexpr int kBatchPositions = 5000;

struct Plan {
  // Short slices by turns, so that whatever else the machine does meets both methods alike.
  int rounds = 81;
  milliseconds slice{50};
  int idle_calls = 37;
  milliseconds idle_pause{1100};
};
constexpr Plan kQuickPlan{.rounds = 11, .idle_calls = 3};

v1::LegalMovesRequest LegalMovesRequest() {
  v1::LegalMovesRequest request;
  request.mutable_position()->set_fen(kMiddlegame);
  return request;
}

v1::LegalMovesBatchRequest BatchRequest() {
  v1::LegalMovesBatchRequest request;
  for (int i = 0; i < kBatchPositions; ++i) request.add_positions()->set_fen(kMiddlegame);
  return request;
}

void CallLegalMoves(const std::shared_ptr<grpc::Channel>& channel) {
  grpc::ClientContext context;
  v1::LegalMovesResponse response;
  const grpc::Status status =
      v1::AnalysisService::NewStub(channel)->LegalMoves(&context, LegalMovesRequest(), &response);
  if (!status.ok() || response.moves_size() != kMiddlegameMoves) throw std::runtime_error("LegalMoves gave no answer");
}

// The size of one answer.
std::size_t LegalMovesBytes(const ServerProcess& server) {
  grpc::ClientContext context;
  v1::LegalMovesResponse response;
  const auto stub = v1::AnalysisService::NewStub(Connect(server.address()));
  if (!stub->LegalMoves(&context, LegalMovesRequest(), &response).ok()) {
    throw std::runtime_error("LegalMoves gave no answer");
  }
  return response.ByteSizeLong();
}

void CallHealth(const std::shared_ptr<grpc::Channel>& channel) {
  grpc::ClientContext context;
  grpc::health::v1::HealthCheckResponse response;
  const grpc::Status status = grpc::health::v1::Health::NewStub(channel)->Check(&context, {}, &response);
  if (!status.ok() || response.status() != response.SERVING) throw std::runtime_error("the server is not healthy");
}

struct Sample {
  double calls_per_second;
  double server_microseconds;  // of CPU time, for each call
};

// The load is shared by all connections, each on a thread of its own.
Sample Measure(const ServerProcess& server, const std::vector<std::shared_ptr<grpc::Channel>>& channels,
               const UnaryLoad& load, int in_flight, milliseconds slice) {
  const int used = std::min(in_flight, static_cast<int>(channels.size()));
  const double cpu_start = CpuSeconds(server.pid());
  const auto start = steady_clock::now();
  std::vector<std::future<std::int64_t>> answers;
  for (int i = 0; i < used; ++i) {
    answers.push_back(
        std::async(std::launch::async, [&, i] { return load.Run(channels[i], in_flight / used, slice); }));
  }
  double calls = 0;
  for (auto& answer : answers) calls += static_cast<double>(answer.get());
  const double seconds = std::chrono::duration<double>(steady_clock::now() - start).count();
  return {calls / seconds, (CpuSeconds(server.pid()) - cpu_start) * 1e6 / calls};
}

// The medians of both methods at one number of calls in flight.
struct Rates {
  int in_flight;
  Sample legal_moves;
  Sample health;
  double ratio;  // the median of the rounds' ratios of calls per second
};

Sample MedianOf(const std::vector<Sample>& samples) {
  std::vector<double> rates;
  std::vector<double> costs;
  for (const Sample& sample : samples) {
    rates.push_back(sample.calls_per_second);
    costs.push_back(sample.server_microseconds);
  }
  return {Quantile(rates, 0.5), Quantile(costs, 0.5)};
}

std::vector<std::shared_ptr<grpc::Channel>> ConnectOften(const ServerProcess& server) {
  std::vector<std::shared_ptr<grpc::Channel>> channels;
  for (int i = 0; i < kConnections; ++i) channels.push_back(Connect(server.address()));
  return channels;
}

std::vector<Rates> MeasureRates(const ServerProcess& server, const Plan& plan) {
  const std::vector<std::shared_ptr<grpc::Channel>> channels = ConnectOften(server);
  const UnaryLoad legal_moves("/kibitz.v1.AnalysisService/LegalMoves", LegalMovesRequest());
  const UnaryLoad health("/grpc.health.v1.Health/Check", grpc::health::v1::HealthCheckRequest());
  Measure(server, channels, legal_moves, kConnections, plan.slice);  // connects and warms up

  std::vector<Rates> rates;
  for (const int in_flight : kInFlight) {
    std::vector<Sample> legal_moves_samples;
    std::vector<Sample> health_samples;
    std::vector<double> ratios;
    for (int round = 0; round < plan.rounds; ++round) {
      legal_moves_samples.push_back(Measure(server, channels, legal_moves, in_flight, plan.slice));
      health_samples.push_back(Measure(server, channels, health, in_flight, plan.slice));
      ratios.push_back(legal_moves_samples.back().calls_per_second / health_samples.back().calls_per_second);
    }
    rates.push_back({in_flight, MedianOf(legal_moves_samples), MedianOf(health_samples), Quantile(ratios, 0.5)});
  }
  return rates;
}

// LegalMoves against a server that answers with as many bytes and does nothing else: the median ratio of calls per
// second.
double MeasureAgainstAnswers(const ServerProcess& server, const Plan& plan) {
  const std::size_t bytes = LegalMovesBytes(server);
  const std::unique_ptr<ServerProcess> other = StartServer({"--answer", std::to_string(bytes)});
  const UnaryLoad legal_moves("/kibitz.v1.AnalysisService/LegalMoves", LegalMovesRequest());
  const UnaryLoad answer(kAnswerMethod, LegalMovesRequest());
  const auto channels = ConnectOften(server);
  const auto other_channels = ConnectOften(*other);
  std::vector<double> ratios;
  for (int round = 0; round < plan.rounds; ++round) {
    const double ours = Measure(server, channels, legal_moves, kJudgedInFlight, plan.slice).calls_per_second;
    const double theirs = Measure(*other, other_channels, answer, kJudgedInFlight, plan.slice).calls_per_second;
    if (round > 0) ratios.push_back(ours / theirs);  // the first one connects
  }
  return Quantile(ratios, 0.5);
}

// Positions per second: of single calls, of a batch, and the median ratio of the two.
struct BatchRates {
  double single;
  double batch;
  double ratio;
};

BatchRates MeasureBatches(const ServerProcess& server, const Plan& plan) {
  const UnaryLoad legal_moves("/kibitz.v1.AnalysisService/LegalMoves", LegalMovesRequest());
  const StreamLoad batch("/kibitz.v1.AnalysisService/LegalMovesBatch", BatchRequest());
  const auto channels = ConnectOften(server);
  std::vector<double> single_rates, batch_rates, ratios;
  for (int round = 0; round < plan.rounds / 2; ++round) {
    single_rates.push_back(Measure(server, channels, legal_moves, kJudgedInFlight, plan.slice).calls_per_second);
    const auto start = steady_clock::now();
    const double positions = static_cast<double>(batch.Run(channels[0], plan.slice)) * kBatchPositions;
    batch_rates.push_back(positions / std::chrono::duration<double>(steady_clock::now() - start).count());
    ratios.push_back(batch_rates.back() / single_rates.back());
  }
  return {Quantile(single_rates, 0.5), Quantile(batch_rates, 0.5), Quantile(ratios, 0.5)};
}

// The time of single calls, each after a pause that lets the server fall asleep. In milliseconds.
std::vector<double> MeasureIdleCalls(const Plan& plan, void (*call)(const std::shared_ptr<grpc::Channel>&)) {
  const std::unique_ptr<ServerProcess> server = StartServer();
  const std::shared_ptr<grpc::Channel> channel = Connect(server->address());
  call(channel);  // connects
  std::vector<double> times;
  for (int i = 0; i < plan.idle_calls; ++i) {
    std::this_thread::sleep_for(plan.idle_pause);
    const auto start = steady_clock::now();
    call(channel);
    times.push_back(std::chrono::duration<double, std::milli>(steady_clock::now() - start).count());
  }
  return times;
}

void PrintRates(const std::vector<Rates>& rates) {
  fmt::print("{:>10}{:>16}{:>16}{:>8}{:>24}{:>20}\n", "in flight", "LegalMoves/s", "health/s", "ratio",
             "LegalMoves server us", "health server us");
  for (const Rates& row : rates) {
    fmt::print("{:>10}{:>16.0f}{:>16.0f}{:>8.3f}{:>24.1f}{:>20.1f}\n", row.in_flight, row.legal_moves.calls_per_second,
               row.health.calls_per_second, row.ratio, row.legal_moves.server_microseconds,
               row.health.server_microseconds);
  }
}

void PrintIdle(const char* name, const std::vector<double>& times) {
  fmt::print("{:<12}{:>8}{:>10.2f}{:>10.2f}{:>10.2f}\n", name, times.size(), Quantile(times, 0.5),
             Quantile(times, 0.95), Quantile(times, 1));
}

nlohmann::ordered_json Run(const Plan& plan) {
  nlohmann::ordered_json figures;
  {
    const std::unique_ptr<ServerProcess> server = StartServer();
    CallLegalMoves(Connect(server->address()));
    const double idle_megabytes = SettledMegabytes(server->pid()) - server::ServerOptions().hash_mb;
    fmt::print("The server uses {:.1f} MB when idle, besides the table.\n\n", idle_megabytes);
    const std::vector<Rates> rates = MeasureRates(*server, plan);
    PrintRates(rates);
    std::fflush(stdout);  // the rest takes a while
    for (const Rates& row : rates) {
      const std::string suffix = row.in_flight == kJudgedInFlight ? "" : fmt::format("_{}", row.in_flight);
      figures["legal_moves_ratio" + suffix] = Rounded(row.ratio);
      figures["legal_moves_per_second" + suffix] = Rounded(row.legal_moves.calls_per_second);
    }
    figures["idle_server_mb"] = Rounded(idle_megabytes);
    const double answer_ratio = MeasureAgainstAnswers(*server, plan);
    fmt::print("\nLegalMoves to a server that only answers with as many bytes ({}), {} in flight: {:.3f}\n",
               LegalMovesBytes(*server), kJudgedInFlight, answer_ratio);
    figures["legal_moves_to_answer_ratio"] = Rounded(answer_ratio);
    const BatchRates batch = MeasureBatches(*server, plan);
    fmt::print("\nPositions per second: single calls {:.0f}, batches of {} {:.0f}, {:.1f} times as many\n",
               batch.single, kBatchPositions, batch.batch, batch.ratio);
    std::fflush(stdout);
    figures["batch_positions_per_second"] = Rounded(batch.batch);
    figures["batch_ratio"] = Rounded(batch.ratio);
  }

  // A server for each method, so that the calls of one do not keep the other awake.
  auto health_times = std::async(std::launch::async, MeasureIdleCalls, plan, &CallHealth);
  const std::vector<double> legal_moves = MeasureIdleCalls(plan, &CallLegalMoves);
  const std::vector<double> health = health_times.get();
  fmt::print("\nOne call every {} ms, in ms:\n{:<12}{:>8}{:>10}{:>10}{:>10}\n", plan.idle_pause.count(), "", "calls",
             "median", "95 %", "slowest");
  PrintIdle("LegalMoves", legal_moves);
  PrintIdle("health", health);
  figures["idle_p50_ms"] = Rounded(Quantile(legal_moves, 0.5));
  figures["idle_p95_ms"] = Rounded(Quantile(legal_moves, 0.95));
  figures["idle_max_ms"] = Rounded(Quantile(legal_moves, 1));
  figures["idle_health_p95_ms"] = Rounded(Quantile(health, 0.95));
  figures["idle_health_max_ms"] = Rounded(Quantile(health, 1));
  return figures;
}

}  // namespace
}  // namespace kibitz::bench

int main(int argc, char** argv) {
  using namespace kibitz::bench;  // NOLINT: wiring only
  return RunProgram({.name = "rpc",
                     .description = "Races LegalMoves of a middlegame position against the health check, against a "
                                    "server that only answers, and "
                                    "against batches, and times calls after idleness.",
                     .quick_help = "a few seconds instead of a minute and a half; the figures are rough",
                     .run = [](bool quick) { return Run(quick ? kQuickPlan : Plan()); },
                     .serve = [] { return Serve({}); },
                     .answer = ServeAnswers},
                    argc, argv);
}
