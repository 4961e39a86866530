// A game as Lichess tells it, checked by the rules.

#ifndef KIBITZ_CLIENT_LICHESS_BOT_FOLLOWED_GAME_H_
#define KIBITZ_CLIENT_LICHESS_BOT_FOLLOWED_GAME_H_

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/lichess/bot/events.h"
#include "engine/board/position.h"

namespace kibitz::client::lichess {

using SteadyTime = std::chrono::steady_clock::time_point;

class FollowedGame {
 public:
  // `us` is our account's identity. Fails for a variant that we do not play, a position that is none, an illegal move,
  // and a game that is not ours: the words say which.
  static absl::StatusOr<FollowedGame> Begin(GameFull full, const std::string& us, SteadyTime received);

  // The newest state. Moves may be more or fewer than before. After an error the game stands as it did.
  absl::Status Take(GameState state, SteadyTime received);

  const std::string& id() const { return full_.id; }
  // Its state is the first one.
  const GameFull& full() const { return full_; }
  const GameState& state() const { return state_; }
  const Player& opponent() const { return full_.players[Place(~us_)]; }
  Color us() const { return us_; }
  bool IsOver() const { return state_.IsOver(); }
  bool IsOurTurn() const { return !IsOver() && position_.side_to_move() == us_; }

  const Position& start() const { return start_; }
  const Position& position() const { return position_; }
  const std::vector<Move>& moves() const { return moves_; }
  // In the notation of the position's variant, as our server wants them.
  std::vector<std::string> UciMoves() const;

  // Whether time runs: from when both have moved.
  bool ClocksRun() const { return full_.clock.has_value() && moves_.size() >= 2 && !IsOver(); }
  // What is left to a side: less than the last state says, if its clock has run since then.
  absl::Duration TimeOf(Color side, SteadyTime now) const;

 private:
  FollowedGame(GameFull full, Color us, Position start);

  GameFull full_;
  Color us_;
  Position start_;
  Position position_;
  std::vector<Move> moves_;
  GameState state_;
  SteadyTime received_{};
};

}  // namespace kibitz::client::lichess

#endif  // KIBITZ_CLIENT_LICHESS_BOT_FOLLOWED_GAME_H_
