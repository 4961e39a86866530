#include "client/cli/perft_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/cli/command_context.h"
#include "client/cli/console.h"
#include "client/cli/failure.h"
#include "client/cli/json.h"
#include "client/cli/patience.h"
#include "client/cli/position_input.h"
#include "client/cli/progress.h"
#include "client/cli/quantity.h"
#include "client/cli/table.h"

namespace kibitz::client {
namespace {

using Divide = v1::PerftResponse::Divide;
using Total = v1::PerftResponse::Total;

// A table pays from here on; below, clearing it takes longer than the count.
constexpr int kHashedFromDepth = 6;
constexpr int kDefaultHashMb = 64;

struct PerftOptions {
  CommonFlags common;
  PositionOptions position;
  int depth = 0;
  bool divide = false;
  int threads = 0;
  std::optional<int> hash_mb;
  double wait_seconds = 0;
};

v1::PerftRequest ToRequest(const PerftOptions& options, const v1::Position& position) {
  v1::PerftRequest request;
  *request.mutable_position() = position;
  request.set_depth(options.depth);
  request.set_threads(options.threads);
  request.set_hash_mb(options.hash_mb.value_or(options.depth < kHashedFromDepth ? 0 : kDefaultHashMb));
  return request;
}

std::string DivideTable(const std::vector<Divide>& divides, const Palette& palette) {
  Table table({Table::Align::kLeft, Table::Align::kLeft, Table::Align::kRight});
  table.AddRow({{"uci", palette.heading}, {"san", palette.heading}, {"nodes", palette.heading}});
  for (const Divide& divide : divides) {
    table.AddRow({{divide.uci()}, {divide.san(), palette.strong}, {WithCommas(divide.nodes())}});
  }
  return table.ToString() + "\n";
}

std::string Summary(const v1::PerftRequest& request, const Total& total, const Palette& palette) {
  Table table({Table::Align::kLeft, Table::Align::kLeft});
  table.AddRow({{"position", palette.heading}, {Describe(request.position())}});
  table.AddRow({{"depth", palette.heading}, {std::to_string(request.depth())}});
  table.AddRow({{"nodes", palette.heading}, {WithCommas(total.nodes()), palette.strong}});
  table.AddRow({{"time", palette.heading}, {Rounded(FromProto(total.elapsed()))}});
  table.AddRow({{"speed", palette.heading}, {Rounded(static_cast<double>(total.nps())) + " nodes/s"}});
  return table.ToString();
}

std::string ToJsonLines(const std::vector<Divide>& divides, const Total& total) {
  std::string lines;
  for (const Divide& divide : divides) lines += ToJsonLine(divide);
  return lines + ToJsonLine(total);
}

// The number of root moves, which the progress line is measured by. Nobody needs it where that line is not drawn.
absl::StatusOr<int> CountRootMoves(const CommandContext& context, const v1::Position& position) {
  if (!IsTerminal(stderr)) return 0;
  v1::LegalMovesRequest request;
  *request.mutable_position() = position;
  const auto moves = context.client().LegalMoves(request, context.QuickCall());
  if (!moves.ok()) return moves.status();
  return moves->moves_size();
}

absl::Status ShowPerft(const PerftOptions& options, const CommandContext& context, const v1::Position& position) {
  const auto root_moves = CountRootMoves(context, position);
  if (!root_moves.ok()) return root_moves.status();

  const v1::PerftRequest request = ToRequest(options, position);
  std::vector<Divide> divides;
  std::optional<Progress> progress(std::in_place, *root_moves);
  const auto on_divide = [&](const Divide& divide) {
    progress->Add(divide.nodes());
    if (options.divide) divides.push_back(divide);
  };
  const auto total = context.client().Perft(request, on_divide, context.LongCall());
  progress.reset();
  if (!total.ok()) return total.status();

  std::ranges::sort(divides, {}, [](const Divide& divide) -> const std::string& { return divide.uci(); });
  if (options.common.json) {
    Print(ToJsonLines(divides, *total));
  } else {
    const Palette& palette = PaletteOf(stdout);
    Print((options.divide ? DivideTable(divides, palette) : "") + Summary(request, *total, palette));
  }
  return absl::OkStatus();
}

ExitCode RunPerft(const PerftOptions& options) {
  const auto context = CommandContext::Open(options.common);
  if (!context.ok()) return ReportFailure(context.status(), /*interrupted=*/false);
  return ForEachPosition(options.position, **context, [&](const v1::Position& position) {
    return RunPatiently(absl::Seconds(options.wait_seconds), (*context)->stop(),
                        [&] { return ShowPerft(options, **context, position); });
  });
}

}  // namespace

void AddPerftCommand(CLI::App& app, ExitCode& exit_code) {
  auto options = std::make_shared<PerftOptions>();
  CLI::App* command = app.add_subcommand("perft", "Count the move paths to a depth, the proof of a move generator");
  command->add_option("DEPTH", options->depth, "How many plies deep")->type_name("")->required();
  AddPositionOptions(*command, options->position);
  command->add_flag("--divide", options->divide, "Show the count below each first move");
  command->add_option("--threads", options->threads, "How many workers count together; 0, the default: all")
      ->type_name("N");
  command
      ->add_option("--hash-mb", options->hash_mb, "The hash table in MiB; 0: none. Default: 64 from depth 6 on, else 0")
      ->type_name("M");
  AddWaitFlag(*command, options->wait_seconds);
  AddCommonFlags(*command, options->common);
  command->footer(
      "Examples:\n"
      "  kibitz perft 6\n"
      "  kibitz perft 5 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1' --divide\n"
      "  kibitz perft 4 --json - < fens.txt\n"
      "\n"
      "Standard input: one FEN a line; empty lines and lines that begin with # are skipped. With --json the total of\n"
      "each position is an object with nodes, elapsed and nps; with --divide an object with uci, san and nodes comes\n"
      "before it for each first move. Ctrl-C stops the count.");
  command->callback([options, &exit_code] { exit_code = RunPerft(*options); });
}

}  // namespace kibitz::client
