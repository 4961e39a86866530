#include "client/cli/evaluate_command.h"

#include <memory>

#include "client/cli/command_context.h"
#include "client/cli/console.h"
#include "client/cli/evaluation_text.h"
#include "client/cli/failure.h"
#include "client/cli/json.h"
#include "client/cli/position_input.h"

namespace kibitz::client {
namespace {

struct EvaluateOptions {
  CommonFlags common;
  PositionOptions position;
};

absl::Status ShowEvaluation(const CommandContext& context, const v1::Position& position) {
  v1::EvaluateRequest request;
  *request.mutable_position() = position;
  const auto response = context.client().Evaluate(request, context.QuickCall());
  if (!response.ok()) return response.status();
  Print(context.json() ? ToJsonLine(*response) : EvaluationText(*response, PaletteOf(stdout)));
  return absl::OkStatus();
}

ExitCode RunEvaluate(const EvaluateOptions& options) {
  const auto context = CommandContext::Open(options.common);
  if (!context.ok()) return ReportFailure(context.status(), /*interrupted=*/false);
  return ForEachPosition(options.position, **context,
                         [&](const v1::Position& position) { return ShowEvaluation(**context, position); });
}

}  // namespace

void AddEvaluateCommand(CLI::App& app, ExitCode& exit_code) {
  auto options = std::make_shared<EvaluateOptions>();
  CLI::App* command = app.add_subcommand("evaluate", "Explain the static evaluation of a position, term by term");
  AddPositionOptions(*command, options->position);
  AddCommonFlags(*command, options->common);
  command->footer(
      "Examples:\n"
      "  kibitz evaluate --moves \"e2e4 e7e5\"\n"
      "  kibitz evaluate 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'\n"
      "  kibitz evaluate --json - < fens.txt\n"
      "\n"
      "Values are in pawns. Each side's share of a term is given for the middlegame and the endgame; what the term\n"
      "adds lies between them, by how much of a middlegame it is. No move is looked at: see `kibitz analyze`.");
  command->callback([options, &exit_code] { exit_code = RunEvaluate(*options); });
}

}  // namespace kibitz::client
