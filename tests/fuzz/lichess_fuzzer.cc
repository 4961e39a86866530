// Any bytes as what Lichess says: an account's events, a game's, lists. What is read of a game is followed.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "absl/strings/ascii.h"
#include "client/lichess/bot/events.h"
#include "client/lichess/bot/followed_game.h"
#include "tests/fuzz/fuzz_support.h"

namespace kibitz {
namespace {

namespace lichess = client::lichess;

// What is said of a bad line stands in logs: it must be one line of text, and short.
void RequireGoodComplaint(const absl::Status& status) {
  Require(!status.message().empty() && status.message().size() < 600, "a complaint is short");
  for (const char c : status.message()) {
    Require(absl::ascii_isprint(static_cast<unsigned char>(c)), "a complaint is printable");
  }
}

template <typename Value>
void RequireGood(const absl::StatusOr<Value>& value) {
  if (!value.ok()) RequireGoodComplaint(value.status());
}

void Follow(const lichess::GameFull& full) {
  for (const lichess::Player& player : full.players) {
    absl::StatusOr<lichess::FollowedGame> game = lichess::FollowedGame::Begin(full, player.id, {});
    if (!game.ok()) {
      RequireGoodComplaint(game.status());
      continue;
    }
    Require(game->UciMoves().size() == full.state.moves.size(), "all moves are followed");
    // Taken back to the start, and played again.
    Require(game->Take({}, {}).ok() && game->moves().empty(), "moves can be taken back");
    Require(game->Take(full.state, {}).ok(), "what was legal stays legal");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  RequireGood(lichess::ParseAccountEvent(line));
  RequireGood(lichess::ParsePlaying(line));
  RequireGood(lichess::ParseAccount(line));
  RequireGood(lichess::ParseOnlineBot(line));
  const absl::StatusOr<lichess::GameEvent> event = lichess::ParseGameEvent(line);
  RequireGood(event);
  if (event.ok() && std::holds_alternative<lichess::GameFull>(*event)) Follow(std::get<lichess::GameFull>(*event));
  return 0;
}

}  // namespace kibitz
