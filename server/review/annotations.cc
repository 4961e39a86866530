#include "server/review/annotations.h"

#include <cstddef>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"

namespace kibitz::server {
namespace {

// Where "[%name value]" stands in a comment.
struct Command {
  std::size_t begin;
  std::size_t end;
  absl::string_view value;
};

std::optional<Command> FindCommand(absl::string_view comment, absl::string_view name) {
  const std::string opening = absl::StrCat("[%", name, " ");
  const std::size_t begin = comment.find(opening);
  if (begin == absl::string_view::npos) return std::nullopt;
  const std::size_t end = comment.find(']', begin);
  if (end == absl::string_view::npos) return std::nullopt;
  const std::size_t value = begin + opening.size();
  return Command{begin, end + 1, absl::StripAsciiWhitespace(comment.substr(value, end - value))};
}

}  // namespace

std::optional<std::chrono::milliseconds> ClockIn(absl::string_view comment) {
  const std::optional<Command> clock = FindCommand(comment, "clk");
  if (!clock.has_value()) return std::nullopt;
  // Hours, minutes and seconds, or fewer; the seconds may have a fraction.
  const std::vector<absl::string_view> parts = absl::StrSplit(clock->value, ':');
  if (parts.size() > 3) return std::nullopt;
  constexpr double kMaxSeconds = 1000 * 60 * 60;
  double seconds = 0;
  for (const absl::string_view part : parts) {
    double value = 0;
    if (!absl::SimpleAtod(part, &value) || !(value >= 0 && value < kMaxSeconds)) return std::nullopt;
    seconds = seconds * 60 + value;
  }
  if (seconds > kMaxSeconds) return std::nullopt;
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000 + 0.5));
}

std::string WithoutCommand(absl::string_view comment, absl::string_view name) {
  std::string text(comment);
  while (const std::optional<Command> command = FindCommand(text, name)) {
    text.erase(command->begin, command->end - command->begin);
  }
  return std::string(absl::StripAsciiWhitespace(text));
}

std::string EvalText(const v1::Score& score, bool white) {
  const int sign = white ? 1 : -1;
  if (score.has_mate_in_moves()) return absl::StrCat("#", sign * score.mate_in_moves());
  return absl::StrFormat("%.2f", sign * score.centipawns() / 100.0);
}

}  // namespace kibitz::server
