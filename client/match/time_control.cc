#include "client/match/time_control.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace kibitz::client {
namespace {

// "90", "1:30" or "0.05".
bool ParseTime(absl::string_view text, absl::Duration& time) {
  const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(text, absl::MaxSplits(':', 1));
  const bool has_minutes = text.find(':') != absl::string_view::npos;
  int minutes = 0;
  double seconds = 0;
  if (has_minutes && !absl::SimpleAtoi(parts.first, &minutes)) return false;
  if (!absl::SimpleAtod(has_minutes ? parts.second : parts.first, &seconds)) return false;
  time = absl::Minutes(minutes) + absl::Seconds(seconds);
  return minutes >= 0 && seconds >= 0 && time <= absl::Hours(100);
}

std::string Seconds(absl::Duration time) { return absl::StrCat(absl::ToDoubleSeconds(time)); }

}  // namespace

bool TimeControl::IsLimited() const { return HasClock() || move_time > absl::ZeroDuration() || nodes > 0 || depth > 0; }

absl::Status ParseClock(absl::string_view text, TimeControl& control) {
  const auto wrong = [&] {
    return absl::InvalidArgumentError(
        absl::StrCat("'", text, "' is no clock: give seconds, such as 2+0.05 or 40/60 (moves/seconds+increment)"));
  };
  TimeControl read = control;
  read.period_moves = 0;
  read.increment = absl::ZeroDuration();
  absl::string_view times = text;
  if (const std::size_t slash = text.find('/'); slash != absl::string_view::npos) {
    if (!absl::SimpleAtoi(text.substr(0, slash), &read.period_moves) || read.period_moves <= 0) return wrong();
    times = text.substr(slash + 1);
  }
  const std::vector<absl::string_view> parts = absl::StrSplit(times, '+');
  if (parts.size() > 2 || !ParseTime(parts[0], read.base)) return wrong();
  if (parts.size() == 2 && !ParseTime(parts[1], read.increment)) return wrong();
  if (!read.HasClock()) return wrong();
  control = read;
  return absl::OkStatus();
}

std::string ToString(const TimeControl& control) {
  std::vector<std::string> parts;
  if (control.HasClock()) {
    parts.push_back(absl::StrCat(control.period_moves > 0 ? absl::StrCat(control.period_moves, "/") : "",
                                 Seconds(control.base),
                                 control.increment > absl::ZeroDuration() ? "+" + Seconds(control.increment) : ""));
  }
  if (control.move_time > absl::ZeroDuration()) parts.push_back(absl::StrCat("move=", Seconds(control.move_time)));
  if (control.nodes > 0) parts.push_back(absl::StrCat("nodes=", control.nodes));
  if (control.depth > 0) parts.push_back(absl::StrCat("depth=", control.depth));
  return parts.empty() ? "-" : absl::StrJoin(parts, " ");
}

absl::Duration GameClock::Allowance() const {
  absl::Duration allowance = absl::InfiniteDuration();
  if (control_.HasClock()) allowance = left_;
  if (control_.move_time > absl::ZeroDuration()) allowance = std::min(allowance, control_.move_time);
  return allowance + control_.margin;
}

void GameClock::Spend(absl::Duration elapsed) {
  ++moves_;
  if (!control_.HasClock()) return;
  left_ = std::max(absl::ZeroDuration(), left_ - elapsed) + control_.increment;
  if (control_.period_moves > 0 && moves_ % control_.period_moves == 0) left_ += control_.base;
}

}  // namespace kibitz::client
