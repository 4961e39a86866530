// One game of the stand-in, by the rules of chess and the customs of Lichess.

#ifndef KIBITZ_TESTS_SUPPORT_LICHESS_LIVE_GAME_H_
#define KIBITZ_TESTS_SUPPORT_LICHESS_LIVE_GAME_H_

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "engine/board/position.h"

namespace kibitz::stand_in {

struct Seat {
  std::string id;
  std::string name;
  std::string title;
  int rating = 1500;
};

struct GameSpec {
  std::string id;
  std::array<Seat, 2> seats;             // White, Black
  std::string variant = "standard";      // "chess960", "fromPosition", or what a hostile server may say
  std::string initial_fen = "startpos";  // or a FEN
  absl::Duration initial = absl::Seconds(60);
  absl::Duration increment = absl::ZeroDuration();
  bool has_clock = true;
  bool rated = false;
  // How long a player may take over its first move.
  absl::Duration first_move = absl::Seconds(30);
};

// Not thread-safe. The clocks run by the times that it is given, from when both have moved once.
class LiveGame {
 public:
  // The start must be legal by the variant's rules.
  static absl::StatusOr<LiveGame> Start(GameSpec spec, absl::Time now);

  const GameSpec& spec() const { return spec_; }
  const Position& position() const { return position_; }
  const std::vector<std::string>& moves() const { return moves_; }
  bool over() const { return status_ != "started"; }
  // Lichess's word: started, mate, resign, stalemate, draw, outoftime, timeout (the opponent has left), aborted.
  const std::string& status() const { return status_; }
  std::optional<Color> winner() const { return winner_; }
  std::optional<Color> SideOf(const std::string& id) const;

  // What players do. An error says why it is not to be done, and changes nothing.
  absl::Status Move(Color side, const std::string& uci, bool offering_draw, absl::Time now);
  absl::Status Abort();
  absl::Status Resign(Color side);
  absl::Status Draw(Color side, bool yes);
  absl::Status Takeback(Color side, bool yes, absl::Time now);
  // Only after the other has been gone for long enough, which is for the caller to know.
  absl::Status ClaimVictory(Color side);
  absl::Status ClaimDraw();
  // Ends the game if the clock or the patience for a first move has run out. Returns whether it has.
  bool LookAtClocks(absl::Time now);

  absl::Duration ClockOf(Color side, absl::Time now) const;
  // The first message of a game's stream, and the later ones.
  nlohmann::json Full(absl::Time now) const;
  nlohmann::json State(absl::Time now) const;

 private:
  LiveGame(GameSpec spec, Position start, absl::Time now);
  absl::Status MustBeOn() const;
  bool ClocksRun() const { return spec_.has_clock && moves_.size() >= 2 && !over(); }
  void SettleByRules();
  void End(std::string status, std::optional<Color> winner);
  void Replay();

  GameSpec spec_;
  Position start_;
  Position position_;
  std::vector<std::string> moves_;
  std::array<absl::Duration, 2> clocks_;
  absl::Time turn_began_;
  absl::Time created_;
  std::array<bool, 2> offers_draw_{};
  std::array<bool, 2> wants_takeback_{};
  std::string status_ = "started";
  std::optional<Color> winner_;
};

}  // namespace kibitz::stand_in

#endif  // KIBITZ_TESTS_SUPPORT_LICHESS_LIVE_GAME_H_
