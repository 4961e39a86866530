#include "client/cli/bench_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "client/cli/command_context.h"
#include "client/cli/console.h"
#include "client/cli/failure.h"
#include "client/cli/quantity.h"

namespace kibitz::client {
namespace {

constexpr int kDefaultDepth = 13;

// Openings, middlegames and endgames, quiet and sharp. The node count over all of them is the engine's signature, so a
// change here changes it as well.
constexpr std::array<const char*, 16> kPositions = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 3 6",
    "r1bqkb1r/pp1n1ppp/2p1pn2/3p4/2PP4/2N1PN2/PP3PPP/R1BQKB1R w KQkq - 2 6",
    "2rq1rk1/pb1n1ppp/1p2pn2/2b5/2B5/1PN1PN2/PB2QPPP/R4RK1 w - - 0 13",
    "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/R4RK1 b - - 1 12",
    "3r1rk1/1p2qppp/p1n1b3/2p1p3/4P3/1PP1QN1P/P1B2PP1/3RR1K1 w - - 0 19",
    "r4rk1/2p1bppp/p1n5/1p1qp3/8/1B1PBN1P/PPP2PP1/R2Q1RK1 b - - 0 14",
    "4r1k1/pp3pp1/2p2n1p/3r4/3P4/2R2N1P/PP3PP1/4R1K1 w - - 2 26",
    "6k1/5p2/4p1p1/1p1n3p/3B3P/1P3PP1/6K1/8 w - - 0 41",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "6k1/5p2/6p1/1r5p/5P1P/1R4P1/6K1/8 w - - 4 50",
    "8/8/1p1k4/p1pP1p2/P1P2P1p/1P1K3P/8/8 w - - 0 45",
    "5rk1/1q3pp1/p2bp2p/1p1b4/3P4/P2BBP2/1P1Q2PP/2R3K1 w - - 0 24",
    "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47",
};

struct Totals {
  std::int64_t nodes = 0;
  absl::Duration time;
};

// A private table and one worker: the search knows nothing but the position.
absl::Status BenchPosition(const CommandContext& context, const char* fen, int depth, Totals& totals) {
  v1::AnalyzeRequest request;
  request.mutable_position()->set_fen(fen);
  request.mutable_limits()->set_depth(depth);
  request.set_reproducible(true);
  const auto add_final = [&](const v1::AnalyzeResponse& event) {
    if (!event.has_final()) return;
    const v1::AnalysisUpdate& result = event.final().result();
    totals.nodes += result.nodes();
    totals.time += FromProto(result.elapsed());
    if (context.json()) return;
    Print(fmt::format("{:<72}{:>11} nodes  {}\n", fen, WithCommas(static_cast<std::uint64_t>(result.nodes())),
                      event.final().best_move()));
  };
  return context.client().Analyze(request, add_final, context.LongCall());
}

ExitCode RunBench(const CommonFlags& flags, int depth) {
  const auto context = CommandContext::Open(flags);
  if (!context.ok()) return ReportFailure(context.status(), /*interrupted=*/false);
  Totals totals;
  for (const char* fen : kPositions) {
    const absl::Status status = BenchPosition(**context, fen, depth, totals);
    if (!status.ok()) return ReportFailure(status, (*context)->interrupted());
  }
  const double seconds = std::max(1e-9, absl::ToDoubleSeconds(totals.time));
  const auto speed = static_cast<std::int64_t>(static_cast<double>(totals.nodes) / seconds);
  if (flags.json) {
    Print(fmt::format("{{\"nodes\":{},\"nodes_per_second\":{}}}\n", totals.nodes, speed));
  } else {
    Print(fmt::format("Nodes searched: {}\nNodes/second: {}\n", totals.nodes, speed));
  }
  return kExitOk;
}

}  // namespace

void AddBenchCommand(CLI::App& app, ExitCode& exit_code) {
  auto flags = std::make_shared<CommonFlags>();
  auto depth = std::make_shared<int>(kDefaultDepth);
  CLI::App* command = app.add_subcommand("bench", "Search fixed positions to a fixed depth: the engine's signature");
  command->add_option("--depth", *depth, "How deep")->type_name("N")->capture_default_str();
  AddCommonFlags(*command, *flags);
  command->footer(
      "Examples:\n"
      "  kibitz bench\n"
      "  kibitz bench --depth 10 --json\n"
      "\n"
      "The node count is the same on every machine, and changes with every change of the search or the evaluation.\n"
      "./kibitz bench --against REVISION compares its speed to another revision's. Races against peers have names:\n"
      "./kibitz bench analyze, perft, rpc, scheduler, sliders, uci.");
  command->callback([flags, depth, &exit_code] { exit_code = RunBench(*flags, *depth); });
}

}  // namespace kibitz::client
