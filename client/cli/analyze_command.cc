#include "client/cli/analyze_command.h"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "client/cli/analysis_view.h"
#include "client/cli/command_context.h"
#include "client/cli/console.h"
#include "client/cli/failure.h"
#include "client/cli/patience.h"
#include "client/cli/position_input.h"
#include "client/cli/quantity.h"
#include "client/cli/words.h"
#include "engine/board/fen.h"
#include "engine/board/picture.h"

namespace kibitz::client {
namespace {

struct AnalyzeOptions {
  CommonFlags common;
  PositionOptions position;
  std::optional<int> depth;
  std::optional<std::int64_t> nodes;
  std::optional<int> movetime_ms;
  std::optional<int> mate;
  bool infinite = false;
  bool reproducible = false;
  bool board = false;
  v1::Priority priority = v1::PRIORITY_INTERACTIVE;
  int multi_pv = 1;
  int threads = 0;
  std::string search_moves;
  double wait_seconds = 0;
};

v1::AnalyzeRequest ToRequest(const AnalyzeOptions& options, const v1::Position& position) {
  v1::AnalyzeRequest request;
  *request.mutable_position() = position;
  v1::Limits& limits = *request.mutable_limits();
  if (options.depth) limits.set_depth(*options.depth);
  if (options.nodes) limits.set_nodes(*options.nodes);
  if (options.movetime_ms) *limits.mutable_movetime() = ToProto(absl::Milliseconds(*options.movetime_ms));
  if (options.mate) limits.set_mate(*options.mate);
  limits.set_infinite(options.infinite);
  request.set_reproducible(options.reproducible);
  request.set_multi_pv(options.multi_pv);
  request.set_threads(options.threads);
  request.set_priority(options.priority);
  for (const std::string& move : SplitMoves(options.search_moves)) request.add_search_moves(move);
  return request;
}

// The position after its moves, drawn once above the analysis.
absl::Status ShowBoard(const CommandContext& context, const v1::Position& position) {
  v1::LegalMovesRequest request;
  *request.mutable_position() = position;
  const auto moves = context.client().LegalMoves(request, context.QuickCall());
  if (!moves.ok()) return moves.status();
  const auto drawn =
      ParseFen(moves->fen(), position.variant() == v1::VARIANT_CHESS960 ? Variant::kChess960 : Variant::kStandard);
  if (!drawn.ok()) return drawn.status();
  Print(fmt::format("{}\n{} to move\n\n", BoardPicture(drawn->board()), ToWords(moves->side_to_move())));
  return absl::OkStatus();
}

absl::Status ShowAnalysis(const AnalyzeOptions& options, const CommandContext& context, const v1::Position& position) {
  if (options.board) {
    const absl::Status status = ShowBoard(context, position);
    if (!status.ok()) return status;
  }
  // Ctrl-C ends the search, not the call: what was found is still to come.
  CallOptions call = context.LongCall();
  const std::stop_token finish = std::exchange(call.stop, std::stop_token());
  call.on_moved = [](const std::string& words) { fmt::print(stderr, "{}\n", words); };
  const std::unique_ptr<AnalysisView> view = MakeAnalysisView(options.common.json);
  return RunPatiently(absl::Seconds(options.wait_seconds), finish, [&] {
    return context.client().AnalyzeUntil(
        finish, ToRequest(options, position), [&](const v1::AnalyzeResponse& event) { view->Show(event); }, call);
  });
}

ExitCode RunAnalyze(const AnalyzeOptions& options) {
  const auto context = CommandContext::Open(options.common);
  if (!context.ok()) return ReportFailure(context.status(), /*interrupted=*/false);
  return ForEachPosition(options.position, **context,
                         [&](const v1::Position& position) { return ShowAnalysis(options, **context, position); });
}

}  // namespace

void AddAnalyzeCommand(CLI::App& app, ExitCode& exit_code) {
  auto options = std::make_shared<AnalyzeOptions>();
  CLI::App* command = app.add_subcommand("analyze", "Search a position for the best move");
  AddPositionOptions(*command, options->position);
  command->add_option("--depth", options->depth, "Stop after this many iterations")->type_name("N");
  command->add_option("--nodes", options->nodes, "Stop after about this many positions")->type_name("N");
  command->add_option("--movetime", options->movetime_ms, "Stop after this long")->type_name("MS");
  command->add_option("--mate", options->mate, "Stop once a mate in this many moves is found")->type_name("N");
  command->add_flag("--reproducible", options->reproducible,
                    "The same answer every time and everywhere; needs --depth or --nodes");
  command->add_flag("--infinite", options->infinite, "Search until Ctrl-C");
  command->add_option("--multipv", options->multi_pv, "How many lines to show, best first")->type_name("N");
  command->add_option("--threads", options->threads, "How many workers search together; 0: the server chooses")
      ->type_name("N");
  command->add_option("--searchmoves", options->search_moves, "Consider only these first moves: \"e2e4 d2d4\"")
      ->type_name("MOVES");
  command->add_option("--priority", options->priority, "Whether others go first")
      ->transform(CLI::CheckedTransformer(std::map<std::string, v1::Priority>{{"interactive", v1::PRIORITY_INTERACTIVE},
                                                                              {"batch", v1::PRIORITY_BATCH}})
                      .description(""))
      ->type_name("interactive|batch");
  AddWaitFlag(*command, options->wait_seconds);
  AddCommonFlags(*command, options->common);
  command->add_flag("--board", options->board, "Draw the position first")->excludes("--json");
  command->footer(
      "Examples:\n"
      "  kibitz analyze --depth 8\n"
      "  kibitz analyze --movetime 2000 --multipv 3 --moves \"e2e4 c7c5\"\n"
      "  kibitz analyze --depth 6 --json - < fens.txt\n"
      "\n"
      "Scores are in pawns from the point of view of the side to move; #3 is mate in three moves, #-3 is being mated.\n"
      "On a terminal the table is redrawn in place. Ctrl-C ends the search and prints the best move so far.\n"
      "With no limit the server's default applies. With --json each event is an object: queued, update or final.");
  command->callback([options, &exit_code] { exit_code = RunAnalyze(*options); });
}

}  // namespace kibitz::client
