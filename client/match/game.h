// One game between two players, from an opening to its end, whatever the players do.

#ifndef KIBITZ_CLIENT_MATCH_GAME_H_
#define KIBITZ_CLIENT_MATCH_GAME_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "client/match/adjudication.h"
#include "client/match/opening.h"
#include "client/match/player.h"
#include "client/match/time_control.h"

namespace kibitz::client {

// How a game ended, in the words of PGN's Termination tag where it has them.
enum class Termination : std::uint8_t {
  kNormal,           // by the rules, or a player resigned
  kAdjudication,     // by what the players or the endgame tables said
  kTimeForfeit,      // the clock ran out
  kRulesInfraction,  // an illegal move
  kAbandoned,        // a player crashed, or answered nothing though no clock ran
};

struct PlayedMove {
  Move move;
  // What the player said; none for the moves of the opening.
  std::optional<Thought> thought;
  absl::Duration clock_left;  // after the move; zero without a clock
};

struct PlayedGame {
  Opening opening;
  std::vector<PlayedMove> moves;
  GameOutcome outcome = GameOutcome::kDraw;
  Termination termination = Termination::kNormal;
  std::string reason;
  // Who has failed and must be made anew.
  std::optional<Color> failed;
};

// One side of the board.
struct Seat {
  Player& player;
  TimeControl control;
};

struct GameRules {
  AdjudicationRules adjudication;
  // How long to wait for an answer that no clock limits.
  absl::Duration hang_after = absl::Seconds(60);
};

// Plays the game. A player that fails loses it.
PlayedGame PlayGame(const Seat& white, const Seat& black, const Opening& opening, const GameRules& rules);

// The game that a player loses because it could not be made ready for it.
PlayedGame LostBeforeStart(const Opening& opening, Color loser, absl::string_view why);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_MATCH_GAME_H_
