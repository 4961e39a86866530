// How long a chess GUI waits for a move beyond the search itself, when the engine has been idle for a while.

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/match/engine_process.h"
#include "client/uci/run.h"
#include "server/server.h"
#include "tests/bench/program.h"
#include "tests/bench/race.h"
#include "tests/support/stockfish.h"

namespace kibitz::bench {
namespace {

using client::EngineProcess;
using std::chrono::steady_clock;

struct Plan {
  int rounds = 20;
  std::chrono::milliseconds pause{3000};
};
constexpr Plan kQuickPlan{.rounds = 3};

class Engine {
 public:
  Engine(const std::vector<std::string>& words, const std::string& commands) {
    auto process = EngineProcess::Start({.words = words});
    if (!process.ok()) throw std::runtime_error(std::string(process.status().message()));
    process_ = *std::move(process);
    Ask(absl::StrCat("uci\n", commands, "isready\n"), "readyok");
    Ask("go nodes 1\n", "bestmove");
  }

  // From the question to the answer, in milliseconds, for a search of a single node.
  double BestMoveDelay() {
    const auto start = steady_clock::now();
    Ask("go nodes 1\n", "bestmove");
    return std::chrono::duration<double, std::milli>(steady_clock::now() - start).count();
  }

 private:
  void Ask(const std::string& commands, const std::string& last) {
    const auto answer = process_->Ask(commands, last);
    if (!answer.ok()) throw std::runtime_error(std::string(answer.status().message()));
  }

  std::unique_ptr<EngineProcess> process_;
};

nlohmann::ordered_json Run(const Plan& plan) {
  const std::optional<std::string> stockfish = Stockfish::Find();
  if (!stockfish) throw std::runtime_error("Stockfish is not installed: apt-get install stockfish");
  auto server = server::Server::Start({.listen = "127.0.0.1:0"});
  if (!server.ok()) throw std::runtime_error(std::string(server.status().message()));
  Engine embedded({"/proc/self/exe", "--serve"}, "");
  Engine bridge({"/proc/self/exe", "--serve"},
                absl::StrCat("setoption name Server value ", (*server)->address(), "\n"));
  Engine peer({*stockfish}, "");
  std::vector<double> own, bridged, peers;
  for (int i = 0; i < plan.rounds; ++i) {
    std::this_thread::sleep_for(plan.pause);
    own.push_back(embedded.BestMoveDelay());
    bridged.push_back(bridge.BestMoveDelay());
    peers.push_back(peer.BestMoveDelay());
  }
  fmt::print("`go nodes 1` to `bestmove` after {} idle seconds, {} times, in milliseconds\n\n",
             plan.pause.count() / 1000, plan.rounds);
  fmt::print("{:<28}{:>10}{:>10}\n", "", "median", "worst");
  nlohmann::ordered_json figures;
  const auto report = [&](const std::string& title, const std::string& name, const std::vector<double>& delays) {
    const double worst = *std::max_element(delays.begin(), delays.end());
    fmt::print("{:<28}{:>10.2f}{:>10.2f}\n", title, Median(delays), worst);
    figures[name + "_ms"] = Rounded(Median(delays));
    figures[name + "_worst_ms"] = Rounded(worst);
  };
  report("kibitz uci", "bestmove", own);
  report("kibitz uci, with a server", "bridged_bestmove", bridged);
  report("Stockfish", "stockfish_bestmove", peers);
  return figures;
}

int BeAnEngine() {
  client::uci::RunUci({});
  return 0;
}

}  // namespace
}  // namespace kibitz::bench

int main(int argc, char** argv) {
  using namespace kibitz::bench;  // NOLINT: wiring only
  return RunProgram({.name = "uci",
                     .description = "Measures how quickly an idle UCI engine answers, against Stockfish.",
                     .quick_help = "ten seconds instead of sixty; the figures are rough",
                     .run = [](bool quick) { return Run(quick ? kQuickPlan : Plan()); },
                     .serve = BeAnEngine},
                    argc, argv);
}
