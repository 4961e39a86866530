// Handlers for those who have a token.

#ifndef KIBITZ_TESTS_SUPPORT_LICHESS_AUTHORIZED_H_
#define KIBITZ_TESTS_SUPPORT_LICHESS_AUTHORIZED_H_

#include <functional>
#include <string>
#include <vector>

#include "tests/support/lichess/http_server.h"
#include "tests/support/lichess/world.h"

namespace kibitz::stand_in {

using AccountHandler = std::function<HttpReply(const HttpRequest&, const Account&)>;

// {"error":...}
HttpReply ErrorReply(int status, const std::string& words);

// Calls the handler for who has a valid token with one of the scopes; no scopes: any token does. 401 and 403 otherwise.
HttpHandler For(World& world, std::vector<std::string> scopes, AccountHandler handler);

}  // namespace kibitz::stand_in

#endif  // KIBITZ_TESTS_SUPPORT_LICHESS_AUTHORIZED_H_
