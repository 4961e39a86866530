#include "tests/support/lichess/bot_api.h"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "tests/support/lichess/authorized.h"
#include "tests/support/lichess/stand_in.h"

namespace kibitz::stand_in {
namespace {

using nlohmann::json;
using Handler = AccountHandler;

HttpReply LinesReply(std::shared_ptr<LineStream> stream) { return {.stream = std::move(stream)}; }

// Only bots play by the bot's API.
Handler BotsOnly(Handler handler) {
  return [handler = std::move(handler)](const HttpRequest& request, const Account& account) {
    if (!account.bot)
      return ErrorReply(400, "This endpoint can only be used with a Bot account. See https://lichess.org/api");
    return handler(request, account);
  };
}

ChallengeSpec SpecOf(const HttpRequest& request) {
  ChallengeSpec spec;
  spec.rated = request.Param("rated") == "true";
  spec.variant = request.Param("variant", "standard");
  spec.fen = request.Param("fen");
  if (!spec.fen.empty()) spec.variant = "fromPosition";
  spec.color = request.Param("color", "random");
  int number = 0;
  spec.limit_seconds.reset();
  if (absl::SimpleAtoi(request.Param("clock.limit"), &number)) spec.limit_seconds = number;
  if (absl::SimpleAtoi(request.Param("clock.increment"), &number)) spec.increment_seconds = number;
  return spec;
}

// POST /api/token/test: comma-separated tokens, and what each may do.
HttpReply TestTokens(const World& world, const HttpRequest& request) {
  json out = json::object();
  for (const auto token : absl::StrSplit(request.body, ',', absl::SkipWhitespace())) {
    const std::string text(token);
    const std::optional<Account> account = world.WhoIs(text);
    if (!account) {
      out[text] = nullptr;
      continue;
    }
    out[text] = {{"userId", account->id()}, {"scopes", absl::StrJoin(account->scopes, ",")}, {"expires", nullptr}};
  }
  return {.body = out.dump()};
}

HttpReply Challenge(World& world, const HttpRequest& request, const Account& account) {
  const auto made = world.Challenge(account.id(), request.matches[0], SpecOf(request));
  if (made.ok()) return {.body = made->dump()};
  if (absl::IsResourceExhausted(made.status())) {
    return {.status = 429,
            .body = json{{"error", "You played too many games against bots today"},
                         {"ratelimit", {{"key", "bot.vsBot.day"}, {"seconds", 3600}}}}
                        .dump()};
  }
  return ReplyOf(made.status());
}

void AddAccountApi(HttpServer& http, World& world) {
  http.Handle("GET", "/api/account", For(world, {}, [&world](const HttpRequest&, const Account& account) {
                return HttpReply{.body = world.AccountJson(account.id()).dump()};
              }));
  http.Handle("POST", "/api/token/test", [&world](const HttpRequest& request) { return TestTokens(world, request); });
  http.Handle("GET", "/api/account/playing", For(world, {}, [&world](const HttpRequest&, const Account& account) {
                return HttpReply{.body = world.Playing(account.id()).dump()};
              }));
  http.Handle("POST", "/api/bot/account/upgrade",
              For(world, {"bot:play"}, [&world](const HttpRequest&, const Account& account) {
                return ReplyOf(world.Upgrade(account.id()));
              }));
  http.Handle("GET", "/api/bot/online", [&world](const HttpRequest& request) {
    int max = 100;
    if (!absl::SimpleAtoi(request.Param("nb", "100"), &max)) max = 100;
    auto stream = std::make_shared<LineStream>();
    for (const std::string& line : world.OnlineBots(max)) stream->Push(line);
    stream->End();
    return LinesReply(std::move(stream));
  });
  http.Handle("GET", "/api/stream/event",
              For(world, {"bot:play"}, [&world](const HttpRequest&, const Account& account) {
                return LinesReply(world.OpenEvents(account.id()));
              }));
}

void AddChallengeApi(HttpServer& http, World& world) {
  const std::vector<std::string> scopes = {"bot:play", "challenge:write"};
  http.Handle("POST", "/api/challenge/(\\w+)/accept",
              For(world, scopes, [&world](const HttpRequest& request, const Account& account) {
                return ReplyOf(world.Accept(account.id(), request.matches[0]));
              }));
  http.Handle("POST", "/api/challenge/(\\w+)/decline",
              For(world, scopes, [&world](const HttpRequest& request, const Account& account) {
                return ReplyOf(world.Decline(account.id(), request.matches[0], request.Param("reason", "generic")));
              }));
  http.Handle("POST", "/api/challenge/(\\w+)/cancel",
              For(world, scopes, [&world](const HttpRequest& request, const Account& account) {
                return ReplyOf(world.Cancel(account.id(), request.matches[0]));
              }));
  http.Handle("POST", "/api/challenge/([\\w-]+)",
              For(world, scopes, [&world](const HttpRequest& request, const Account& account) {
                return Challenge(world, request, account);
              }));
}

// What a player does in a game, by the last word of the path.
HttpReply Act(World& world, const HttpRequest& request, const Account& account) {
  const std::string& game = request.matches[0];
  const std::string& action = request.matches[1];
  const std::string id = account.id();
  if (action == "abort") return ReplyOf(world.Abort(id, game));
  if (action == "resign") return ReplyOf(world.Resign(id, game));
  if (action == "claim-victory") return ReplyOf(world.ClaimVictory(id, game));
  if (action == "claim-draw") return ReplyOf(world.ClaimDraw(id, game));
  if (action == "chat") return ReplyOf(world.Chat(id, game, request.Param("room"), request.Param("text")));
  return ErrorReply(404, "Not found");
}

void AddGameApi(HttpServer& http, World& world) {
  const auto add = [&](const char* method, const char* pattern, Handler handler) {
    http.Handle(method, pattern, For(world, {"bot:play"}, BotsOnly(std::move(handler))));
  };
  add("GET", "/api/bot/game/stream/(\\w+)", [&world](const HttpRequest& request, const Account& account) {
    auto stream = world.OpenGame(account.id(), request.matches[0]);
    return stream.ok() ? LinesReply(*std::move(stream)) : ReplyOf(stream.status());
  });
  add("POST", "/api/bot/game/(\\w+)/move/(\\w+)", [&world](const HttpRequest& request, const Account& account) {
    const bool draw = request.Param("offeringDraw") == "true";
    return ReplyOf(world.Move(account.id(), request.matches[0], request.matches[1], draw));
  });
  add("POST", "/api/bot/game/(\\w+)/draw/(\\w+)", [&world](const HttpRequest& request, const Account& account) {
    return ReplyOf(world.Draw(account.id(), request.matches[0], request.matches[1] == "yes"));
  });
  add("POST", "/api/bot/game/(\\w+)/takeback/(\\w+)", [&world](const HttpRequest& request, const Account& account) {
    return ReplyOf(world.Takeback(account.id(), request.matches[0], request.matches[1] == "yes"));
  });
  add("POST", "/api/bot/game/(\\w+)/([a-z-]+)",
      [&world](const HttpRequest& request, const Account& account) { return Act(world, request, account); });
}

}  // namespace

HttpReply ReplyOf(const absl::Status& status) {
  if (status.ok()) return {.body = R"({"ok":true})"};
  const std::string words(status.message());
  if (absl::IsNotFound(status)) return ErrorReply(404, words);
  if (absl::IsResourceExhausted(status)) return ErrorReply(429, words);
  return ErrorReply(400, words);
}

void AddBotApi(HttpServer& http, World& world) {
  AddAccountApi(http, world);
  AddChallengeApi(http, world);
  AddGameApi(http, world);
}

}  // namespace kibitz::stand_in
