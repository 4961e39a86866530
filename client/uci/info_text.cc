#include "client/uci/info_text.h"

#include <fmt/format.h>

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"

namespace kibitz::client::uci {
namespace {

std::string ScoreWords(const v1::Score& score) {
  const char* bound = score.bound() == v1::Score::BOUND_LOWER   ? " lowerbound"
                      : score.bound() == v1::Score::BOUND_UPPER ? " upperbound"
                                                                : "";
  return score.has_mate_in_moves() ? fmt::format("mate {}{}", score.mate_in_moves(), bound)
                                   : fmt::format("cp {}{}", score.centipawns(), bound);
}

}  // namespace

std::string InfoLines(const v1::AnalysisUpdate& update, bool show_wdl) {
  const std::int64_t milliseconds = update.elapsed().seconds() * 1000 + update.elapsed().nanos() / 1'000'000;
  std::string lines;
  for (const v1::Line& line : update.lines()) {
    lines += fmt::format("info depth {} seldepth {} multipv {} score {}", update.depth(), update.seldepth(),
                         line.rank(), ScoreWords(line.score()));
    if (show_wdl) lines += fmt::format(" wdl {} {} {}", line.wdl().win(), line.wdl().draw(), line.wdl().loss());
    if (!update.current_move().empty()) {
      lines += fmt::format(" currmove {} currmovenumber {}", update.current_move(), update.current_move_number());
    }
    lines += fmt::format(" nodes {} nps {} hashfull {} tbhits {} time {} pv {}\n", update.nodes(), update.nps(),
                         update.hashfull(), update.tb_hits(), milliseconds, absl::StrJoin(line.pv_uci(), " "));
  }
  return lines;
}

std::string GameOverInfo(bool mated, bool show_wdl) {
  const char* wdl = !show_wdl ? "" : mated ? " wdl 0 0 1000" : " wdl 0 1000 0";
  return fmt::format("info depth 0 score {}{}\n", mated ? "mate 0" : "cp 0", wdl);
}

std::string InfoString(std::string_view words) {
  std::string line(words);
  for (char& c : line) {
    if (absl::ascii_iscntrl(static_cast<unsigned char>(c))) c = ' ';
  }
  return fmt::format("info string {}\n", line);
}

std::string BestMoveLine(std::string_view move, std::string_view ponder) {
  if (move.empty()) return "bestmove (none)\n";
  return ponder.empty() ? fmt::format("bestmove {}\n", move) : fmt::format("bestmove {} ponder {}\n", move, ponder);
}

}  // namespace kibitz::client::uci
