#include "client/cli/evaluation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>
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

std::string ChancesText(const v1::Score& score, const v1::Wdl& wdl) {
  return fmt::format("{}; wins {:.1f} %, draws {:.1f} %, loses {:.1f} %", ScoreText(score), wdl.win() / 10.0,
                     wdl.draw() / 10.0, wdl.loss() / 10.0);
}

// The letter of a piece, as in a FEN.
char LetterOf(v1::PieceType piece, v1::Color color) {
  constexpr std::string_view kLetters = "?PNBRQK";
  const char letter = piece >= 0 && piece < static_cast<int>(kLetters.size()) ? kLetters[piece] : '?';
  return color == v1::COLOR_WHITE ? letter : static_cast<char>(std::tolower(letter));
}

// The board, each piece with its value.
std::string PieceValues(const v1::EvaluateResponse::NetValue& net, const Palette& palette) {
  std::array<std::array<std::string, 8>, 8> cells;
  for (const auto& piece : net.pieces()) {
    if (piece.square().size() != 2) continue;
    const int file = piece.square()[0] - 'a';
    const int rank = piece.square()[1] - '1';
    if (file < 0 || file > 7 || rank < 0 || rank > 7) continue;
    cells[rank][file] = fmt::format("{} {}", LetterOf(piece.piece(), piece.color()), Pawns(piece.value()));
  }
  std::string text;
  for (int rank = 7; rank >= 0; --rank) {
    text += fmt::format("{}", rank + 1);
    for (const std::string& cell : cells[rank]) text += fmt::format(" {:^8}", cell.empty() ? "." : cell);
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  std::string files = "\n ";
  for (char file = 'a'; file <= 'h'; ++file) files += fmt::format(" {:^8}", file);
  files.erase(files.find_last_not_of(' ') + 1);
  return text + fmt::format(palette.faint, "{}", files) + "\n";
}

std::string NetText(const v1::EvaluateResponse& response, const Palette& palette) {
  const v1::EvaluateResponse::NetValue& net = response.net();
  return fmt::format("\n{}\n{} to move: {}\nWhat White's lead would lose without a piece:\n\n{}",
                     fmt::format(palette.heading, "the net of the searches, {}", net.evaluation()),
                     ToWords(response.side_to_move()), ChancesText(net.score(), net.wdl()), PieceValues(net, palette));
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
  text += fmt::format("\n{} to move: {}\n", ToWords(response.side_to_move()),
                      ChancesText(response.score(), response.wdl()));
  text += fmt::format("{} evaluation, {:.0f} % middlegame", response.evaluation(), response.phase() / 10.0);
  if (response.endgame_scale() < 1000) {
    text += fmt::format(", {:.0f} % of the endgame's lead counts", response.endgame_scale() / 10.0);
  }
  text += "\n";
  if (response.in_check()) text += "The side to move is in check: the value means little.\n";
  if (response.status() != v1::GAME_STATUS_ONGOING) text += fmt::format("{}\n", ToWords(response.status()));
  if (response.has_net()) text += NetText(response, palette);
  return text;
}

}  // namespace kibitz::client
