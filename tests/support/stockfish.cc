#include "tests/support/stockfish.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace kibitz {

std::optional<std::string> Stockfish::Find() { return client::FindProgram("stockfish"); }

absl::StatusOr<Stockfish> Stockfish::Start(const std::string& program) {
  absl::StatusOr<std::unique_ptr<client::EngineProcess>> process = client::EngineProcess::Start({.words = {program}});
  if (!process.ok()) return process.status();
  if (const auto answer = (*process)->Ask("uci\n", "uciok"); !answer.ok()) return answer.status();
  return Stockfish(*std::move(process));
}

absl::StatusOr<Stockfish::Report> Stockfish::Look(Variant variant, const std::string& fen,
                                                  const std::vector<std::string>& moves, int depth) {
  const std::string commands =
      absl::StrCat("setoption name UCI_Chess960 value ", variant == Variant::kChess960 ? "true" : "false",
                   "\nposition fen ", fen, " moves ", absl::StrJoin(moves, " "), "\nd\ngo perft ", depth, "\n");
  const absl::StatusOr<std::vector<std::string>> lines = process_->Ask(commands, "Nodes searched");
  if (!lines.ok()) return lines.status();
  Report report;
  for (absl::string_view line : *lines) {
    const std::vector<absl::string_view> parts = absl::StrSplit(line, absl::MaxSplits(": ", 1));
    if (parts.size() != 2) continue;
    std::uint64_t count = 0;
    if (parts[0] == "Fen") {
      report.fen = std::string(parts[1]);
    } else if ((parts[0].size() == 4 || parts[0].size() == 5) && absl::SimpleAtoi(parts[1], &count)) {
      report.divide.emplace(parts[0], count);
    }
  }
  if (report.fen.empty()) return absl::InternalError(absl::StrCat("no FEN in the answer to: ", commands));
  return report;
}

}  // namespace kibitz
