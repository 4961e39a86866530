#include "tests/support/lichess/authorized.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "absl/strings/str_join.h"

namespace kibitz::stand_in {

HttpReply ErrorReply(int status, const std::string& words) {
  return {.status = status, .body = nlohmann::json{{"error", words}}.dump()};
}

HttpHandler For(World& world, std::vector<std::string> scopes, AccountHandler handler) {
  return [&world, scopes = std::move(scopes), handler = std::move(handler)](const HttpRequest& request) {
    const std::optional<Account> account = world.WhoIs(request.bearer);
    if (!account) return ErrorReply(401, "No such token");
    const bool allowed = scopes.empty() || std::any_of(scopes.begin(), scopes.end(), [&](const std::string& scope) {
                           return std::count(account->scopes.begin(), account->scopes.end(), scope) > 0;
                         });
    if (!allowed) return ErrorReply(403, "Missing scope");
    HttpReply reply = handler(request, *account);
    reply.headers["X-OAuth-Scopes"] = absl::StrJoin(account->scopes, ", ");
    return reply;
  };
}

}  // namespace kibitz::stand_in
