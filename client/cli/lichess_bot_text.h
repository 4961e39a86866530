// What a bot on Lichess is doing, as text.

#ifndef KIBITZ_CLIENT_CLI_LICHESS_BOT_TEXT_H_
#define KIBITZ_CLIENT_CLI_LICHESS_BOT_TEXT_H_

#include <string>

#include "client/cli/console.h"
#include "client/lichess/bot/bot_report.h"

namespace kibitz::client {

// The bot and its games, the first of them with its board: whole lines.
std::string LichessBotText(const lichess::BotView& view, const Palette& palette);

// What has come of all games, when the bot has left.
std::string LichessBotSummary(const lichess::BotView& view);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_LICHESS_BOT_TEXT_H_
