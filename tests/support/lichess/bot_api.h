// The API that bots use: account, events, games, challenges.

#ifndef KIBITZ_TESTS_SUPPORT_LICHESS_BOT_API_H_
#define KIBITZ_TESTS_SUPPORT_LICHESS_BOT_API_H_

#include "tests/support/lichess/http_server.h"
#include "tests/support/lichess/world.h"

namespace kibitz::stand_in {

// Both must live for as long as the server answers.
void AddBotApi(HttpServer& http, World& world);

}  // namespace kibitz::stand_in

#endif  // KIBITZ_TESTS_SUPPORT_LICHESS_BOT_API_H_
