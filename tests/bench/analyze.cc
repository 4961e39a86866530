// What the service costs a search, what a second worker gains it, and how its speed compares to a peer's.

#include <fmt/core.h>
#include <time.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "client/match/engine_process.h"
#include "engine/board/fen.h"
#include "engine/engine.h"
#include "grpcpp/grpcpp.h"
#include "kibitz/v1/analysis.grpc.pb.h"
#include "tests/bench/middlegames.h"
#include "tests/bench/program.h"
#include "tests/bench/race.h"
#include "tests/bench/server_under_test.h"
#include "tests/integration/server_process.h"
#include "tests/support/positions.h"
#include "tests/support/stockfish.h"

namespace kibitz::bench {
namespace {

using client::EngineProcess;
using std::chrono::milliseconds;

constexpr int kHashMb = 64;

struct Plan {
  int rounds = 15;
  milliseconds slice{1000};
};
constexpr Plan kQuickPlan{.rounds = 3, .slice = milliseconds(500)};

struct Speed {
  double per_second = 0;      // of the clock
  double per_cpu_second = 0;  // of this one's processor time
};

// The same search in this process.
class InProcess {
 public:
  InProcess() : engine_(kHashMb) { engine_.ClearHash(); }

  Speed Search(const std::string& fen, int threads, milliseconds time) {
    const double cpu = ProcessCpuSeconds();
    AnalysisRequest request;
    request.position = MustParse(fen);
    request.limits.movetime = time;
    const AnalysisResult result = Analyze(engine_, std::move(request), threads);
    const auto nodes = static_cast<double>(result.analysis.nodes);
    return {nodes / std::chrono::duration<double>(result.analysis.elapsed).count(),
            nodes / (ProcessCpuSeconds() - cpu)};
  }

 private:
  static double ProcessCpuSeconds() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
  }

  Engine engine_;
};

// A server of its own, over a socket.
class OverGrpc {
 public:
  OverGrpc() : server_(StartServer()), stub_(v1::AnalysisService::NewStub(Connect(server_->address()))) {}

  Speed Search(const std::string& fen, milliseconds time) {
    v1::AnalyzeRequest request;
    request.mutable_position()->set_fen(fen);
    request.mutable_limits()->mutable_movetime()->set_seconds(time.count() / 1000);
    request.mutable_limits()->mutable_movetime()->set_nanos(static_cast<int>(time.count() % 1000 * 1'000'000));
    const double cpu = CpuSeconds(server_->pid());
    grpc::ClientContext context;
    const auto reader = stub_->Analyze(&context, request);
    v1::AnalyzeResponse response;
    while (reader->Read(&response)) continue;
    if (!reader->Finish().ok() || !response.has_final()) throw std::runtime_error("the server gave no answer");
    const v1::AnalysisUpdate& result = response.final().result();
    const auto nodes = static_cast<double>(result.nodes());
    return {nodes / (static_cast<double>(result.elapsed().seconds()) + result.elapsed().nanos() / 1e9),
            nodes / (CpuSeconds(server_->pid()) - cpu)};
  }

 private:
  std::unique_ptr<integration::ServerProcess> server_;
  std::unique_ptr<v1::AnalysisService::Stub> stub_;
};

// Debian's Stockfish with its handcrafted evaluation.
class Peer {
 public:
  explicit Peer(int threads) {
    const std::optional<std::string> program = Stockfish::Find();
    if (!program) throw std::runtime_error("Stockfish is not installed: apt-get install stockfish");
    auto process = EngineProcess::Start({.words = {*program}});
    if (!process.ok()) throw std::runtime_error(std::string(process.status().message()));
    process_ = *std::move(process);
    Ask(absl::StrCat("uci\nsetoption name Use NNUE value false\nsetoption name Threads value ", threads,
                     "\nsetoption name Hash value ", kHashMb, "\nisready\n"),
        "readyok");
  }

  Speed Search(const std::string& fen, milliseconds time) {
    const absl::Duration cpu = process_->CpuTime();
    const std::vector<std::string> answer =
        Ask(absl::StrCat("position fen ", fen, "\ngo movetime ", time.count(), "\n"), "bestmove");
    double nodes = 0;
    double milliseconds_used = 1;
    for (const std::string& line : answer) {
      const std::vector<std::string> words = absl::StrSplit(line, ' ');
      for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        if (words[i] == "nodes" && !absl::SimpleAtod(words[i + 1], &nodes)) nodes = 0;
        if (words[i] == "time" && !absl::SimpleAtod(words[i + 1], &milliseconds_used)) milliseconds_used = 1;
      }
    }
    return {nodes * 1000 / milliseconds_used, nodes / absl::ToDoubleSeconds(process_->CpuTime() - cpu)};
  }

 private:
  std::vector<std::string> Ask(const std::string& commands, const std::string& last) {
    absl::StatusOr<std::vector<std::string>> answer = process_->Ask(commands, last);
    if (!answer.ok()) throw std::runtime_error(absl::StrCat("Stockfish: ", answer.status().message()));
    return *std::move(answer);
  }

  std::unique_ptr<EngineProcess> process_;
};

nlohmann::ordered_json Run(const Plan& plan) {
  const std::vector<std::string> fens = Middlegames(plan.rounds);
  // Two engines of our own, so that each sees the same positions in the same order, with a table in the same state.
  InProcess alone;
  InProcess pair;
  OverGrpc service;
  Peer peer(1);
  Peer peer_pair(2);
  std::vector<double> grpc_ratios, pair_ratios, peer_pair_ratios, peer_ratios, speeds;
  for (const std::string& fen : fens) {
    const Speed one = alone.Search(fen, 1, plan.slice);
    const Speed served = service.Search(fen, plan.slice);
    const Speed two = pair.Search(fen, 2, plan.slice);
    const Speed peer_one = peer.Search(fen, plan.slice);
    const Speed peer_two = peer_pair.Search(fen, plan.slice);
    grpc_ratios.push_back(served.per_second / one.per_second);
    pair_ratios.push_back(two.per_second / one.per_second);
    peer_pair_ratios.push_back(peer_two.per_second / peer_one.per_second);
    peer_ratios.push_back(one.per_cpu_second / peer_one.per_cpu_second);
    speeds.push_back(one.per_cpu_second);
  }
  fmt::print("medians of {} middlegame positions, {} ms each, {} MiB\n\n", plan.rounds, plan.slice.count(), kHashMb);
  fmt::print("{:<58}{:>8.3f}\n", "nodes per second over gRPC, to the same in process", Median(grpc_ratios));
  fmt::print("{:<58}{:>8.3f}\n", "nodes per second of two threads, to one", Median(pair_ratios));
  fmt::print("{:<58}{:>8.3f}\n", "the same of Stockfish (classical)", Median(peer_pair_ratios));
  fmt::print("{:<58}{:>8.3f}\n", "nodes per CPU second, to Stockfish (classical)", Median(peer_ratios));
  fmt::print("{:<58}{:>8.0f}\n", "nodes per CPU second, in thousands", Median(speeds) / 1000);
  nlohmann::ordered_json figures;
  figures["grpc_ratio"] = Rounded(Median(grpc_ratios));
  figures["two_thread_ratio"] = Rounded(Median(pair_ratios));
  figures["stockfish_two_thread_ratio"] = Rounded(Median(peer_pair_ratios));
  figures["vs_stockfish_classical_ratio"] = Rounded(Median(peer_ratios));
  figures["nodes_per_cpu_second"] = Rounded(Median(speeds));
  return figures;
}

}  // namespace
}  // namespace kibitz::bench

int main(int argc, char** argv) {
  using namespace kibitz::bench;  // NOLINT: wiring only
  return RunProgram(
      {.name = "analyze",
       .description =
           "Measures what gRPC costs a search, what a second thread gains it, and its speed against Stockfish's.",
       .quick_help = "ten seconds instead of eighty; the figures are rough",
       .run = [](bool quick) { return Run(quick ? kQuickPlan : Plan()); },
       .serve = [] { return Serve({.hash_mb = kHashMb}); }},
      argc, argv);
}
