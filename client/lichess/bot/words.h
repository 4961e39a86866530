// Words about games, for people.

#ifndef KIBITZ_CLIENT_LICHESS_BOT_WORDS_H_
#define KIBITZ_CLIENT_LICHESS_BOT_WORDS_H_

#include <string>
#include <string_view>

#include "client/lichess/bot/followed_game.h"
#include "client/lichess/bot/thinker.h"

namespace kibitz::client::lichess {

// "+0.35", "#-3"; empty: not known.
std::string ScoreText(const Answer& answer);
// "3+2", "0.5+0", "no clock".
std::string ClockText(const GameFull& game);
// "1-0", "0-1", "1/2-1/2", "*".
std::string ResultText(const FollowedGame& game);

// What a command in the chat ("!help") is answered with, if it is one. Only spectators learn of the score.
std::string ReplyTo(std::string_view said, bool by_spectator, const Answer& latest, const std::string& engine);

}  // namespace kibitz::client::lichess

#endif  // KIBITZ_CLIENT_LICHESS_BOT_WORDS_H_
