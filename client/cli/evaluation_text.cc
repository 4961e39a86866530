#include "client/cli/evaluation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "client/cli/analysis_text.h"
#include "client/cli/table.h"
#include "client/cli/words.h"

namespace kibitz::client {
namespace {

constexpr int kHalfBar = 20;  // characters on either side

std::string Pawns(double centipawns) {
  // No "-0.00".
  const double pawns = std::abs(centipawns) < 0.5 ? 0 : centipawns / 100;
  return fmt::format("{:+.2f}", pawns);
}

std::string ShareText(bool given, const v1::EvaluateResponse::Share& share) {
  return given ? fmt::format("{} {}", Pawns(share.middlegame()), Pawns(share.endgame())) : "";
}

// `scale` is what a whole half stands for.
std::string Bar(double value, double scale) {
  const int length = std::min(kHalfBar, static_cast<int>(std::lround(std::abs(value) / scale * kHalfBar)));
  const std::string bar(length, '=');
  if (value < 0) return fmt::format("{:>{}}|", bar, kHalfBar);
  return fmt::format("{:{}}|{}", "", kHalfBar, bar);
}

}  // namespace

std::string EvaluationText(const v1::EvaluateResponse& response, const Palette& palette) {
  double scale = 100;  // a pawn, or more
  for (const auto& term : response.terms()) scale = std::max(scale, std::abs(term.value()));
  Table table(
      {Table::Align::kLeft, Table::Align::kRight, Table::Align::kRight, Table::Align::kRight, Table::Align::kLeft});
  table.AddRow({{"term", palette.heading},
                {"White mg, eg", palette.heading},
                {"Black mg, eg", palette.heading},
                {"adds", palette.heading},
                {fmt::format("{:>{}} White", "Black |", kHalfBar + 1), palette.heading}});
  for (const auto& term : response.terms()) {
    table.AddRow({{std::string(ToWords(term.kind()))},
                  {ShareText(term.has_white(), term.white()), palette.faint},
                  {ShareText(term.has_black(), term.black()), palette.faint},
                  {Pawns(term.value())},
                  {Bar(term.value(), scale)}});
  }
  table.AddRow({{"sum, for White", palette.strong}, {}, {}, {Pawns(response.sum()), palette.strong}, {}});
  std::string text = table.ToString();
  text += fmt::format("\n{} to move: {}; wins {:.1f} %, draws {:.1f} %, loses {:.1f} %\n",
                      ToWords(response.side_to_move()), ScoreText(response.score()), response.wdl().win() / 10.0,
                      response.wdl().draw() / 10.0, response.wdl().loss() / 10.0);
  text += fmt::format("{} evaluation, {:.0f} % middlegame", response.evaluation(), response.phase() / 10.0);
  if (response.endgame_scale() < 1000) {
    text += fmt::format(", {:.0f} % of the endgame's lead counts", response.endgame_scale() / 10.0);
  }
  text += "\n";
  if (response.in_check()) text += "The side to move is in check: the value means little.\n";
  if (response.status() != v1::GAME_STATUS_ONGOING) text += fmt::format("{}\n", ToWords(response.status()));
  return text;
}

}  // namespace kibitz::client
