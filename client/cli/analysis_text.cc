#include "client/cli/analysis_text.h"

#include <fmt/format.h>

#include "absl/strings/str_join.h"
#include "client/cli/quantity.h"
#include "client/cli/words.h"

namespace kibitz::client {

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
