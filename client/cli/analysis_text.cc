#include "client/cli/analysis_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_join.h"
#include "client/cli/quantity.h"
#include "client/cli/words.h"

namespace kibitz::client {
namespace {

// As many of the moves as fit.
std::string MovesWithin(const google::protobuf::RepeatedPtrField<std::string>& moves, std::size_t width) {
  std::string text;
  for (const std::string& move : moves) {
    if (text.size() + 1 + move.size() > width) break;
    if (!text.empty()) text += ' ';
    text += move;
  }
  return text;
}

}  // namespace

std::string ScoreText(const v1::Score& score) {
  const char* bound = score.bound() == v1::Score::BOUND_LOWER   ? ">="
                      : score.bound() == v1::Score::BOUND_UPPER ? "<="
                                                                : "";
  if (score.has_mate_in_moves()) return fmt::format("{}#{}", bound, score.mate_in_moves());
  return fmt::format("{}{:+.2f}", bound, score.centipawns() / 100.0);
}

std::string UpdateLines(const v1::AnalysisUpdate& update, const Palette& palette) {
  std::string lines;
  for (const v1::Line& line : update.lines()) {
    const std::string rank = update.lines_size() > 1 ? fmt::format("{:>2}.", line.rank()) : "";
    const std::string depth = fmt::format("{}/{}", update.depth(), update.seldepth());
    const std::string work = fmt::format("{:>7} nodes  {:>7}/s", Rounded(static_cast<double>(update.nodes())),
                                         Rounded(static_cast<double>(update.nps())));
    lines +=
        fmt::format("{}{:>7}  {}  {}  {}\n", rank, depth, fmt::format(palette.strong, "{:>8}", ScoreText(line.score())),
                    fmt::format(palette.faint, "{}", work), absl::StrJoin(line.pv_san(), " "));
  }
  return lines;
}

std::string LiveTable(const v1::AnalysisUpdate& update, const Palette& palette, TerminalSize size) {
  // A terminal that is too small shows the best line, broken over its rows.
  const auto columns = static_cast<std::size_t>(std::max(size.columns, 40));
  const int rows = std::max(size.rows - 3, 1);
  const std::string state =
      fmt::format("depth {}/{}  {} nodes  {}/s  hash {:.1f} %  {}", update.depth(), update.seldepth(),
                  Rounded(static_cast<double>(update.nodes())), Rounded(static_cast<double>(update.nps())),
                  update.hashfull() / 10.0, Rounded(FromProto(update.elapsed())));
  std::string table = fmt::format(palette.faint, "{}", state.substr(0, columns)) + "\n";
  for (int i = 0; i < std::min(update.lines_size(), rows); ++i) {
    const v1::Line& line = update.lines(i);
    const std::string rank = fmt::format("{:>3}. ", line.rank());
    const std::string score = fmt::format("{:>8}", ScoreText(line.score()));
    table += fmt::format("{}{}  {}\n", rank, fmt::format(palette.strong, "{}", score),
                         MovesWithin(line.pv_san(), columns - rank.size() - score.size() - 2));
  }
  return table;
}

std::string FinalLines(const v1::AnalyzeResponse::Final& final, const Palette& palette) {
  if (final.best_move().empty()) {
    return fmt::format("{}  {}\n", fmt::format(palette.heading, "no move"), ToWords(final.status()));
  }
  const v1::Line best_line = final.result().lines().empty() ? v1::Line() : final.result().lines(0);
  const auto& pv = best_line.pv_san();
  const std::string best = pv.empty() ? final.best_move() : fmt::format("{} ({})", pv[0], final.best_move());
  std::string text =
      fmt::format("{}  {}", fmt::format(palette.heading, "best move"), fmt::format(palette.strong, "{}", best));
  if (pv.size() > 1) text += fmt::format(", expecting {}", pv[1]);
  return fmt::format("{}; {} after {}\n", text, ToWords(final.stop_reason()),
                     Rounded(FromProto(final.result().elapsed())));
}

}  // namespace kibitz::client
