// A player for tests that plays what it is told to, and time controls for its games.

#ifndef KIBITZ_TESTS_CLIENT_MATCH_SCRIPTED_PLAYER_H_
#define KIBITZ_TESTS_CLIENT_MATCH_SCRIPTED_PLAYER_H_

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "client/match/player.h"
#include "client/match/time_control.h"

namespace kibitz::client {

// Says what it is given to say, in turn and from the beginning again.
class ScriptedPlayer : public Player {
 public:
  explicit ScriptedPlayer(absl::string_view moves, std::optional<PlayerScore> score = std::nullopt,
                          absl::Duration elapsed = absl::ZeroDuration())
      : moves_(absl::StrSplit(moves, ' ')), score_(score), elapsed_(elapsed) {}

  absl::Status NewGame(Variant) override { return absl::OkStatus(); }
  absl::StatusOr<Thought> Think(const MoveRequest& request) override {
    clocks.push_back(request.clock.left());
    return Thought{
        .move = moves_[next_++ % moves_.size()], .score = score_, .depth = 1, .nodes = 1, .elapsed = elapsed_};
  }
  void Abort() override {}

  std::vector<absl::Duration> clocks;

 private:
  std::vector<std::string> moves_;
  std::optional<PlayerScore> score_;
  absl::Duration elapsed_;
  std::size_t next_ = 0;
};

inline TimeControl Clock(absl::string_view text) {
  TimeControl control;
  EXPECT_TRUE(ParseClock(text, control).ok());
  return control;
}

inline TimeControl Depth(int depth) {
  TimeControl control;
  control.depth = depth;
  return control;
}

}  // namespace kibitz::client

#endif  // KIBITZ_TESTS_CLIENT_MATCH_SCRIPTED_PLAYER_H_
