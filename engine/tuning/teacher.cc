#include "engine/tuning/teacher.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/board/fen.h"

namespace kibitz::tuning {
namespace {

constexpr std::chrono::seconds kPatience{60};

}  // namespace

std::optional<int> ValueOfInfo(absl::string_view line) {
  if (!absl::ConsumePrefix(&line, "info ")) return std::nullopt;
  const std::vector<absl::string_view> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
  const auto score = std::find(words.begin(), words.end(), "score");
  int amount = 0;
  if (words.end() - score < 3 || !absl::SimpleAtoi(score[2], &amount)) return std::nullopt;
  if (score[1] == "mate") return amount > 0 ? Record::kMaxValue : -Record::kMaxValue;
  if (score[1] != "cp") return std::nullopt;
  return std::clamp(amount, -Record::kMaxValue, Record::kMaxValue);
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
  const std::string settings = absl::StrCat("setoption name Hash value ", options.hash_mb,
                                            "\nsetoption name UCI_Chess960 value true\nisready\n");
  if (const auto ready = (*process)->Ask(settings, "readyok"); !ready.ok()) return ready.status();
  return Teacher(*std::move(process), std::move(name), options.limit);
}

absl::Status Teacher::Label(std::vector<Record>& records) {
  std::string commands;
  for (const Record& record : records) {
    const absl::StatusOr<Position> position = Unpack(record);
    if (!position.ok()) return position.status();
    absl::StrAppend(&commands, "position fen ", ToFen(*position), "\ngo ", limit_, "\n");
  }
  if (absl::Status sent = process_->Send(commands); !sent.ok()) return sent;
  for (Record& record : records) {
    const absl::StatusOr<int> value = ReadValue();
    if (!value.ok()) return value.status();
    record.value = static_cast<std::int16_t>(record.side_to_move == 0 ? *value : -*value);
  }
  return absl::OkStatus();
}

// The last value that is told before the best move.
absl::StatusOr<int> Teacher::ReadValue() {
  std::optional<int> value;
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (true) {
    const absl::StatusOr<std::string> line = process_->ReadLine(deadline);
    if (!line.ok()) return line.status();
    if (const std::optional<int> here = ValueOfInfo(*line)) value = here;
    if (!absl::string_view(*line).substr(0, 9).compare("bestmove ")) break;
  }
  if (!value) return absl::InternalError(absl::StrCat(name_, " gave a best move without a value"));
  return *value;
}

}  // namespace kibitz::tuning
