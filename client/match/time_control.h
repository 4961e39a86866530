// How long a player may think.

#ifndef KIBITZ_CLIENT_MATCH_TIME_CONTROL_H_
#define KIBITZ_CLIENT_MATCH_TIME_CONTROL_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kibitz::client {

// A clock, or a fixed time, node count or depth for each move; nodes and depth may also stand beside a clock. Zero is
// "not limited by that".
struct TimeControl {
  int period_moves = 0;  // the base time comes again after so many moves
  absl::Duration base;
  absl::Duration increment;
  absl::Duration move_time;
  std::int64_t nodes = 0;
  int depth = 0;
  // How much later than allowed an answer may come, for the way from the player to us.
  absl::Duration margin = absl::Milliseconds(50);

  bool HasClock() const { return base > absl::ZeroDuration() || increment > absl::ZeroDuration(); }
  bool IsLimited() const;
};

// Reads a clock as "[MOVES/]TIME[+INCREMENT]" into `control`, the times in seconds or minutes:seconds: "2+0.05",
// "40/1:30".
absl::Status ParseClock(absl::string_view text, TimeControl& control);

// As the TimeControl tag of PGN has it, as far as it can say it: "40/90+0.5", "nodes=1000".
std::string ToString(const TimeControl& control);

// One player's clock in one game.
class GameClock {
 public:
  explicit GameClock(const TimeControl& control) : control_(control), left_(control.base + control.increment) {}

  const TimeControl& control() const { return control_; }
  absl::Duration left() const { return left_; }
  // How many moves must be made until time is added; 0: all of them.
  int moves_to_go() const {
    return control_.period_moves == 0 ? 0 : control_.period_moves - moves_ % control_.period_moves;
  }

  // How long the next answer may take before the game is lost. Infinite without clock or time per move.
  absl::Duration Allowance() const;
  // Takes the time of one move off the clock, which never falls below zero, and adds what the player has earned.
  void Spend(absl::Duration elapsed);

 private:
  TimeControl control_;
  absl::Duration left_;
  int moves_ = 0;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_MATCH_TIME_CONTROL_H_
