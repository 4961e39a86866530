#include "client/cli/moves_command.h"

#include <fmt/format.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "client/cli/attacks_option.h"
#include "client/cli/command_context.h"
#include "client/cli/console.h"
#include "client/cli/failure.h"
#include "client/cli/json.h"
#include "client/cli/pictures.h"
#include "client/cli/position_input.h"
#include "client/cli/table.h"
#include "client/cli/words.h"
#include "client/readable_status.h"

namespace kibitz::client {
namespace {

struct MovesOptions {
  CommonFlags common;
  PositionOptions position;
  bool board = false;
  std::string attacks;  // "d4" or "Rd4"; empty for none

  bool HasPictures() const { return board || !attacks.empty(); }
};

std::string Notes(const v1::Move& move) {
  std::vector<std::string> notes;
  if (move.castling()) notes.push_back("castling");
  if (move.en_passant()) notes.push_back("en passant");
  if (move.promotion() != v1::PIECE_TYPE_UNSPECIFIED) {
    notes.push_back(fmt::format("promotes to {}", ToWords(move.promotion())));
  }
  if (move.check()) notes.push_back(move.checkmate() ? "checkmate" : "check");
  return absl::StrJoin(notes, ", ");
}

std::string Summary(const v1::LegalMovesResponse& response, const Palette& palette) {
  Table table({Table::Align::kLeft, Table::Align::kLeft});
  table.AddRow({{"position", palette.heading}, {response.fen(), palette.strong}});
  table.AddRow({{"to move", palette.heading}, {std::string(ToWords(response.side_to_move()))}});
  table.AddRow({{"status", palette.heading}, {std::string(ToWords(response.status()))}});
  table.AddRow({{"in check", palette.heading}, response.in_check() ? Cell{"yes", palette.alert} : Cell{"no"}});
  if (response.repetitions() > 1) {
    table.AddRow({{"stood", palette.heading}, {fmt::format("{} times", response.repetitions())}});
  }
  table.AddRow({{"moves", palette.heading}, {std::to_string(response.moves_size())}});
  return table.ToString();
}

std::string MovesTable(const v1::LegalMovesResponse& response, const Palette& palette) {
  if (response.moves().empty()) return "";
  Table table(std::vector(5, Table::Align::kLeft));
  table.AddRow({{"san", palette.heading},
                {"uci", palette.heading},
                {"piece", palette.heading},
                {"takes", palette.heading},
                {"notes", palette.heading}});
  for (const v1::Move& move : response.moves()) {
    table.AddRow({{move.san(), palette.strong},
                  {move.uci()},
                  {std::string(ToWords(move.piece()))},
                  {std::string(ToWords(move.captured()))},
                  {Notes(move), palette.faint}});
  }
  return "\n" + table.ToString();
}

// The bitboards, where the user asked for pictures: all of them with --board, attacks with --attacks.
absl::StatusOr<v1::BitboardsResponse> AskForBitboards(const MovesOptions& options, const CommandContext& context,
                                                      const v1::Position& position) {
  v1::BitboardsRequest request;
  *request.mutable_position() = position;
  if (!options.attacks.empty()) SetAttacks(options.attacks, request);
  return context.client().Bitboards(request, context.QuickCall());
}

void Show(const v1::LegalMovesResponse& moves, const MovesOptions& options, const std::string& pictures = "") {
  if (options.common.json) return Print(ToJsonLine(moves) + pictures);
  const Palette& palette = PaletteOf(stdout);
  Print(Summary(moves, palette) + pictures + MovesTable(moves, palette));
}

absl::Status ShowMoves(const MovesOptions& options, const CommandContext& context, const v1::Position& position) {
  v1::LegalMovesRequest request;
  *request.mutable_position() = position;
  const auto moves = context.client().LegalMoves(request, context.QuickCall());
  if (!moves.ok()) return moves.status();

  const Palette& palette = PaletteOf(stdout);
  std::string pictures;
  if (options.HasPictures()) {
    const auto bitboards = AskForBitboards(options, context, position);
    if (!bitboards.ok()) return bitboards.status();
    if (options.common.json) {
      pictures = ToJsonLine(*bitboards);
    } else {
      if (options.board) pictures += BitboardPictures(*bitboards, palette);
      if (!options.attacks.empty()) pictures += AttackPictures(*bitboards, options.attacks, palette);
    }
  }
  Show(*moves, options, pictures);
  return absl::OkStatus();
}

// What is wrong with one position of a call: its field is named as if it had been alone.
absl::Status StatusOf(v1::AnalyzeSessionResponse::Refused refused) {
  const std::size_t end = refused.field().find(']');
  if (end != std::string::npos) refused.set_field("position" + refused.field().substr(end + 1));
  return ReadableRefusal(refused);
}

absl::Status ShowBatch(const MovesOptions& options, const CommandContext& context,
                       const std::vector<v1::Position>& positions,
                       const std::function<void(const absl::Status&)>& done) {
  v1::LegalMovesBatchRequest request;
  request.mutable_positions()->Assign(positions.begin(), positions.end());
  const auto show = [&](const v1::LegalMovesBatchResponse::Item& item) {
    if (item.has_refused()) return done(StatusOf(item.refused()));
    Show(item.moves(), options);
    done(absl::OkStatus());
  };
  return context.client().LegalMovesBatch(request, show, context.QuickCall());
}

ExitCode RunMoves(const MovesOptions& options) {
  const auto context = CommandContext::Open(options.common);
  if (!context.ok()) return ReportFailure(context.status(), /*interrupted=*/false);
  const AnswerPositions one_by_one =
      OneByOne(**context, [&](const v1::Position& position) { return ShowMoves(options, **context, position); });
  const auto show = [&](const std::vector<v1::Position>& positions,
                        const std::function<void(const absl::Status&)>& done) {
    if (positions.size() == 1 || options.HasPictures()) return one_by_one(positions, done);
    return ShowBatch(options, **context, positions, done);
  };
  return ForEachPosition(options.position, **context, AnswerPositions(show));
}

}  // namespace

void AddMovesCommand(CLI::App& app, ExitCode& exit_code) {
  auto options = std::make_shared<MovesOptions>();
  CLI::App* command = app.add_subcommand("moves", "List the legal moves of a position and tell how the game stands");
  AddPositionOptions(*command, options->position);
  command->add_flag("--board", options->board, "Show the board and its bitboards as well");
  command
      ->add_option("--attacks", options->attacks,
                   "Show what a piece attacks, by each slider method: d4, or Rd4 for a rook there")
      ->type_name("SQUARE")
      ->check(CLI::Validator(CheckAttacks, ""));
  AddCommonFlags(*command, options->common);
  command->footer(
      "Examples:\n"
      "  kibitz moves --moves \"e2e4 e7e5\"\n"
      "  kibitz moves 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1' --board --attacks a1\n"
      "  kibitz moves --json - < fens.txt\n"
      "\n"
      "Standard input: one FEN a line; empty lines and lines that begin with # are skipped; a bad line is reported\n"
      "on standard error and the others still answered. With --json each position is a LegalMovesResponse (fen,\n"
      "moves with uci and san, status, ...), followed by a BitboardsResponse with --board or --attacks.");
  command->callback([options, &exit_code] { exit_code = RunMoves(*options); });
}

}  // namespace kibitz::client
