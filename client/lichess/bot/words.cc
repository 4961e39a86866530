#include "client/lichess/bot/words.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace kibitz::client::lichess {

std::string ScoreText(const Answer& answer) {
  if (answer.mate_in) return absl::StrCat("#", *answer.mate_in);
  return answer.centipawns ? absl::StrFormat("%+.2f", *answer.centipawns / 100.0) : "";
}

std::string ClockText(const GameFull& game) {
  if (!game.clock) return "no clock";
  return absl::StrCat(absl::ToDoubleMinutes(game.clock->initial), "+", absl::ToDoubleSeconds(game.clock->increment));
}

std::string ResultText(const FollowedGame& game) {
  const GameState& state = game.state();
  if (state.winner) return *state.winner == Color::kWhite ? "1-0" : "0-1";
  const bool drawn = state.status == "draw" || state.status == "stalemate" || state.status == "outoftime" ||
                     state.status == "timeout" || state.status == "insufficientMaterialClaim";
  return drawn ? "1/2-1/2" : "*";
}

std::string ReplyTo(std::string_view said, bool by_spectator, const Answer& latest, const std::string& engine) {
  const std::string command =
      absl::AsciiStrToLower(absl::StripAsciiWhitespace(absl::string_view(said.data(), said.size())));
  if (command == "!help" || command == "!commands") {
    return by_spectator ? "!name: who plays here; !eval: how I see the game" : "!name: who plays here; good luck!";
  }
  if (command == "!name") return engine;
  if (command != "!eval") return "";
  if (!by_spectator) return "I tell spectators only, until the game is over";
  const std::string score = ScoreText(latest);
  if (score.empty()) return "I have not thought about this game yet";
  return absl::StrCat(score, " for me at depth ", latest.depth, latest.line.empty() ? "" : ": ", latest.line);
}

}  // namespace kibitz::client::lichess
