// What Lichess tells a bot, line by line, as plain structs. Strangers write it: whatever comes is read or refused.

#ifndef KIBITZ_CLIENT_LICHESS_BOT_EVENTS_H_
#define KIBITZ_CLIENT_LICHESS_BOT_EVENTS_H_

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "engine/board/position.h"

namespace kibitz::client::lichess {

struct Player {
  std::string id{};  // lower case; empty for Lichess's own computer and for the anonymous
  std::string name{};
  std::string title{};
  int rating = 0;  // 0: none is told

  bool IsBot() const { return title == "BOT"; }
};

struct ClockControl {
  absl::Duration initial{};
  absl::Duration increment{};
};

// A challenge, whoever made it.
struct Challenge {
  std::string id{};
  Player from{};
  Player to{};
  std::string variant = "standard";
  bool rated = false;
  std::optional<ClockControl> clock{};  // none: correspondence, or no limit at all
};

// Of the account.
struct GameStarted {
  std::string id;
  Player opponent{};
};
struct GameFinished {
  std::string id;
};
struct ChallengeMade {
  Challenge challenge;
};
struct ChallengeCanceled {
  std::string id;
};
struct ChallengeDeclined {
  std::string id;
  std::string reason;  // the key, such as "tooFast"; may be empty
};
// Something that is not for us, or newer than this program.
struct UnknownEvent {
  std::string type;
};
using AccountEvent =
    std::variant<GameStarted, GameFinished, ChallengeMade, ChallengeCanceled, ChallengeDeclined, UnknownEvent>;

// Of a game. Arrays have White first.
struct GameState {
  std::vector<std::string> moves{};  // UCI, castling as king takes rook
  std::array<absl::Duration, 2> time{};
  std::array<absl::Duration, 2> increment{};
  std::string status = "started";
  std::optional<Color> winner{};
  std::array<bool, 2> offers_draw{};
  std::array<bool, 2> wants_takeback{};

  bool IsOver() const { return status != "started" && status != "created"; }
};
struct GameFull {
  std::string id{};
  std::string variant = "standard";
  std::string speed{};
  std::string initial_fen{};  // empty: the variant's own start
  bool rated = false;
  std::array<Player, 2> players{};
  std::optional<ClockControl> clock{};
  GameState state{};
};
struct ChatLine {
  std::string room;
  std::string name;
  std::string text;
};
struct OpponentGone {
  bool gone = false;
  std::optional<absl::Duration> claim_in{};  // until a win can be claimed; none: it cannot
};
using GameEvent = std::variant<GameFull, GameState, ChatLine, OpponentGone, UnknownEvent>;

// An error names the field that is missing or wrong. What is not needed may be missing.
absl::StatusOr<AccountEvent> ParseAccountEvent(std::string_view line);
absl::StatusOr<GameEvent> ParseGameEvent(std::string_view line);

// The games of GET /api/account/playing.
absl::StatusOr<std::vector<std::string>> ParsePlaying(std::string_view text);

struct Account {
  Player player{};
  int games = 0;
};
absl::StatusOr<Account> ParseAccount(std::string_view text);

// One line of GET /api/bot/online, with the ratings that it has by speed ("bullet", "blitz", ...).
struct OnlineBot {
  Player player{};
  std::vector<std::pair<std::string, int>> ratings{};

  int RatingFor(std::string_view speed) const;  // 0: none
};
absl::StatusOr<OnlineBot> ParseOnlineBot(std::string_view line);

// Lichess's name for how fast a game is.
std::string SpeedOf(const ClockControl& clock);

inline std::size_t Place(Color side) { return side == Color::kWhite ? 0 : 1; }

}  // namespace kibitz::client::lichess

#endif  // KIBITZ_CLIENT_LICHESS_BOT_EVENTS_H_
