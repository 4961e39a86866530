#include "engine/tuning/teacher.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/board/fen.h"
#include "engine/board/uci_move.h"

namespace kibitz::tuning {
namespace {

constexpr std::chrono::seconds kPatience{60};
// Leads beyond this teach nothing more.
constexpr int kDecided = 2500;

// The word that comes next, taken off the front.
absl::string_view TakeWord(absl::string_view& line) {
  line = absl::StripLeadingAsciiWhitespace(line);
  const absl::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(word.size());
  return word;
}

bool ReadScore(absl::string_view& rest, TaughtLine& line) {
  const absl::string_view kind = TakeWord(rest);
  int amount = 0;
  if (!absl::SimpleAtoi(TakeWord(rest), &amount)) return false;
  if (kind == "mate") {
    line.value = amount > 0 ? Record::kMaxValue : -Record::kMaxValue;
    return true;
  }
  line.value = std::clamp(amount, -Record::kMaxValue, Record::kMaxValue);
  line.exact = true;
  return kind == "cp";
}

// With clocks as at a game's beginning.
std::string Fen(const Position& position) {
  std::string fen = ToFen(position);
  fen.resize(fen.rfind(' ', fen.rfind(' ') - 1));
  return fen + " 0 1";
}

// The quiet position at the end of a line, nothing if it is none.
std::optional<Record> EndOfLine(Position position, const TaughtLine& line) {
  if (!line.exact || std::abs(line.value) > kDecided) return std::nullopt;
  const int value = position.side_to_move() == Color::kWhite ? line.value : -line.value;
  absl::string_view rest = line.moves;
  for (absl::string_view word = TakeWord(rest); !word.empty(); word = TakeWord(rest)) {
    const absl::StatusOr<Move> move = ParseUciMove(position, word);
    if (!move.ok()) return std::nullopt;
    position.MakeMove(*move);
  }
  if (position.InCheck() || position.Status() != GameStatus::kOngoing) return std::nullopt;
  return Pack(position, {.value = value, .result = std::nullopt, .origin = Origin::kSibling});
}

}  // namespace

std::optional<TaughtLine> ReadTaughtLine(absl::string_view line) {
  if (!absl::ConsumePrefix(&line, "info ")) return std::nullopt;
  TaughtLine taught;
  bool has_value = false;
  for (absl::string_view word = TakeWord(line); !word.empty(); word = TakeWord(line)) {
    if (word == "multipv" && !absl::SimpleAtoi(TakeWord(line), &taught.rank)) return std::nullopt;
    if (word == "score" && !(has_value = ReadScore(line, taught))) return std::nullopt;
    if (word == "lowerbound" || word == "upperbound") taught.exact = false;
    if (word == "string") return std::nullopt;
    if (word == "pv") {
      taught.moves = std::string(absl::StripAsciiWhitespace(line));
      break;
    }
  }
  if (!has_value || taught.rank < 1) return std::nullopt;
  return taught;
}

absl::StatusOr<Teacher> Teacher::Start(const Options& options) {
  absl::StatusOr<std::unique_ptr<client::EngineProcess>> process =
      client::EngineProcess::Start({.words = {options.program}});
  if (!process.ok()) return process.status();
  const absl::StatusOr<std::vector<std::string>> answer = (*process)->Ask("uci\n", "uciok");
  if (!answer.ok()) return answer.status();
  std::string name = options.program;
  for (absl::string_view line : *answer) {
    if (absl::ConsumePrefix(&line, "id name ")) name = std::string(line);
  }
  const std::string settings =
      absl::StrCat("setoption name Hash value ", options.hash_mb, "\nsetoption name MultiPV value ", options.lines,
                   "\nsetoption name UCI_Chess960 value true\nisready\n");
  if (const auto ready = (*process)->Ask(settings, "readyok"); !ready.ok()) return ready.status();
  return Teacher(*std::move(process), std::move(name), options.limit);
}

absl::Status Teacher::Label(std::vector<Record>& records) {
  std::string commands;
  std::vector<Position> positions;
  for (const Record& record : records) {
    absl::StatusOr<Position> position = Unpack(record);
    if (!position.ok()) return position.status();
    absl::StrAppend(&commands, "position fen ", Fen(*position), "\ngo ", limit_, "\n");
    positions.push_back(*std::move(position));
  }
  if (absl::Status sent = process_->Send(commands); !sent.ok()) return sent;
  std::vector<TaughtLine> lines;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const absl::StatusOr<std::string> best = ReadAnswer(lines);
    if (!best.ok()) return best.status();
    if (lines.empty()) return absl::InternalError(absl::StrCat(name_, " gave a best move without a value"));
    Record& record = records[i];
    const int value = lines.front().value;
    record.value = static_cast<std::int16_t>(record.side_to_move == 0 ? value : -value);
    const absl::StatusOr<Move> move = ParseUciMove(positions[i], *best);
    record.SetQuiet(lines.front().exact && move.ok() && !positions[i].IsCapture(*move) &&
                    move->kind() != Move::Kind::kPromotion);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Record>> Teacher::FollowLines(const std::vector<Question>& questions) {
  std::string commands;
  for (const Question& question : questions) {
    absl::StrAppend(&commands, "position fen ", Fen(question.position), "\ngo ", limit_, " searchmoves");
    for (const Move move : question.moves) absl::StrAppend(&commands, " ", ToUci(move, Variant::kChess960));
    absl::StrAppend(&commands, "\n");
  }
  if (absl::Status sent = process_->Send(commands); !sent.ok()) return sent;
  std::vector<Record> ends;
  std::vector<TaughtLine> lines;
  for (const Question& question : questions) {
    const absl::StatusOr<std::string> best = ReadAnswer(lines);
    if (!best.ok()) return best.status();
    for (const TaughtLine& line : lines) {
      if (const std::optional<Record> end = EndOfLine(question.position, line)) ends.push_back(*end);
    }
  }
  return ends;
}

absl::StatusOr<std::string> Teacher::ReadAnswer(std::vector<TaughtLine>& lines) {
  lines.clear();
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (true) {
    const absl::StatusOr<std::string> line = process_->ReadLine(deadline);
    if (!line.ok()) return line.status();
    absl::string_view rest = *line;
    if (absl::ConsumePrefix(&rest, "bestmove ")) return std::string(TakeWord(rest));
    std::optional<TaughtLine> taught = ReadTaughtLine(*line);
    if (!taught) continue;
    const auto same =
        std::find_if(lines.begin(), lines.end(), [&](const TaughtLine& each) { return each.rank == taught->rank; });
    if (same == lines.end()) {
      lines.push_back(*std::move(taught));
    } else {
      *same = *std::move(taught);
    }
  }
}

}  // namespace kibitz::tuning
