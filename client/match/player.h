// Somebody who plays games: a UCI or xboard program, a Kibitz server.

#ifndef KIBITZ_CLIENT_MATCH_PLAYER_H_
#define KIBITZ_CLIENT_MATCH_PLAYER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/match/time_control.h"
#include "engine/board/position.h"

namespace kibitz::client {

// What a player is asked: the position, its own clock and the other's.
struct MoveRequest {
  const std::string& start_fen;
  const std::vector<std::string>& moves;  // in UCI notation, played from there
  Variant variant = Variant::kStandard;
  Color side = Color::kWhite;  // to move: the player's
  const GameClock& clock;
  const GameClock& opponent_clock;
  // How long to wait for the answer.
  absl::Duration patience;
};

// A score as the player sees it: centipawns, or a mate in so many moves (negative: against it).
struct PlayerScore {
  bool is_mate = false;
  int value = 0;
};

struct Thought {
  std::string move;      // in UCI notation, not yet checked
  bool resigns = false;  // rather than to move
  std::optional<PlayerScore> score;
  int depth = 0;
  std::int64_t nodes = 0;
  absl::Duration elapsed;  // from the question to the answer, by our clock
};

// After any error a player is not to be asked again: make a new one.
class Player {
 public:
  virtual ~Player() = default;

  // Makes ready for a game. What was learnt in earlier ones is forgotten.
  virtual absl::Status NewGame(Variant variant) = 0;
  // Answers, or fails: DEADLINE_EXCEEDED without an answer in time, UNAVAILABLE if the player is gone.
  virtual absl::StatusOr<Thought> Think(const MoveRequest& request) = 0;
  // Ends a call from another thread: it fails soon.
  virtual void Abort() = 0;
  // Whether it may be asked for a game after its first.
  virtual bool CanPlayAgain() const { return true; }
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_MATCH_PLAYER_H_
