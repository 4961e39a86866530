#include "client/lichess/bot/lichess_api.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "client/http/json.h"

namespace kibitz::client::lichess {
namespace {

using http::Get;
using http::PathOf;
using http::Post;
using http::PostForm;
using http::Request;
using http::Response;

constexpr char kTokenAdvice[] =
    "make one at https://lichess.org/account/oauth/token with the scope \"Play games with the bot API\" (bot:play)";

// The longest game takes 100 kB.
constexpr std::size_t kMaxLineBytes = 256 << 10;

absl::Status ExplainToken(const absl::Status& status) {
  if (!absl::IsUnauthenticated(status)) return status;
  return absl::UnauthenticatedError(absl::StrCat("the server does not know this token: ", kTokenAdvice));
}

// What the token allows, where the server tells.
absl::Status CheckScopes(const Response& response) {
  const auto header = response.headers.find("x-oauth-scopes");
  if (header == response.headers.end()) return absl::OkStatus();
  const std::set<std::string> scopes = absl::StrSplit(header->second, absl::ByAnyChar(", "), absl::SkipEmpty());
  if (scopes.contains("bot:play")) return absl::OkStatus();
  return absl::PermissionDeniedError(absl::StrCat("the token does not allow to play as a bot (it has ",
                                                  scopes.empty() ? "no scope" : http::OneLine(header->second),
                                                  "): ", kTokenAdvice));
}

// A list segment by segment, as in "draw/yes".
std::string ActionPath(const std::string& game, const std::string& action) {
  std::string path = PathOf({"api", "bot", "game", game});
  for (const std::string& part : std::vector<std::string>(absl::StrSplit(action, '/'))) path += PathOf({part});
  return path;
}

}  // namespace

absl::Status LichessApi::Do(Request request, const std::stop_token& stop) {
  request.timeout = std::min(request.timeout, times_.answer);
  absl::StatusOr<Response> response = http_.Send(request, stop);
  return response.ok() ? http::StatusOf(*response) : response.status();
}

absl::StatusOr<Account> LichessApi::CheckAccount(const std::stop_token& stop) {
  Request request = Get("/api/account");
  request.timeout = times_.answer;
  const absl::StatusOr<Response> response = http_.SendPatiently(request, {}, stop);
  if (!response.ok()) return ExplainToken(response.status());
  if (absl::Status scopes = CheckScopes(*response); !scopes.ok()) return scopes;
  absl::StatusOr<Account> account = ParseAccount(response->body);
  if (account.ok()) return account;
  return absl::InternalError(absl::StrCat(host(), " tells of no account: ", account.status().message()));
}

absl::Status LichessApi::UpgradeToBot(const std::stop_token& stop) {
  return Do(Post("/api/bot/account/upgrade"), stop);
}

absl::StatusOr<std::vector<std::string>> LichessApi::Playing(const std::stop_token& stop) {
  Request request = Get("/api/account/playing?nb=50");
  request.timeout = times_.answer;
  const absl::StatusOr<Response> response = http_.SendPatiently(request, {}, stop);
  if (!response.ok()) return response.status();
  return ParsePlaying(response->body);
}

absl::StatusOr<std::vector<OnlineBot>> LichessApi::OnlineBots(int most, const std::stop_token& stop) {
  Request request = Get(absl::StrCat("/api/bot/online?nb=", most));
  request.timeout = times_.answer;
  const absl::StatusOr<Response> response = http_.Send(request, stop);
  if (!response.ok()) return response.status();
  if (absl::Status status = http::StatusOf(*response); !status.ok()) return status;
  std::vector<OnlineBot> bots;
  const std::vector<std::string> lines = absl::StrSplit(response->body, '\n', absl::SkipWhitespace());
  for (const std::string& line : lines) {
    // One that cannot be read is none to play with.
    absl::StatusOr<OnlineBot> bot = ParseOnlineBot(line);
    if (bot.ok()) bots.push_back(*std::move(bot));
  }
  return bots;
}

absl::StatusOr<std::unique_ptr<http::LineStream>> LichessApi::OpenEvents(const std::stop_token& stop) {
  Request request = Get("/api/stream/event");
  request.timeout = times_.silence;
  return http_.OpenLines(request, {.stall_timeout = times_.silence, .max_line_bytes = kMaxLineBytes}, stop);
}

absl::StatusOr<std::unique_ptr<http::LineStream>> LichessApi::OpenGame(const std::string& game,
                                                                       const std::stop_token& stop) {
  Request request = Get(PathOf({"api", "bot", "game", "stream", game}));
  request.timeout = times_.silence;
  return http_.OpenLines(request, {.stall_timeout = times_.silence, .max_line_bytes = kMaxLineBytes}, stop);
}

absl::StatusOr<std::string> LichessApi::MakeChallenge(const std::string& user, const Offer& offer,
                                                      const std::stop_token& stop) {
  Request request = PostForm(PathOf({"api", "challenge", user}),
                             {{"rated", offer.rated ? "true" : "false"},
                              {"clock.limit", absl::StrCat(absl::ToInt64Seconds(offer.clock.initial))},
                              {"clock.increment", absl::StrCat(absl::ToInt64Seconds(offer.clock.increment))},
                              {"variant", offer.variant},
                              {"color", "random"}});
  request.timeout = times_.answer;
  const absl::StatusOr<Response> response = http_.Send(request, stop);
  if (!response.ok()) return response.status();
  if (absl::Status status = http::StatusOf(*response); !status.ok()) return status;
  const auto body = http::ParseJson(response->body);
  const nlohmann::json* inner = body.ok() ? http::ObjectAt(*body, "challenge") : nullptr;
  if (inner == nullptr && body.ok()) inner = &*body;
  const auto id = inner == nullptr ? std::nullopt : http::StringAt(*inner, "id");
  if (!id) return absl::InternalError(absl::StrCat(host(), " does not tell the challenge's identity"));
  return *id;
}

absl::Status LichessApi::Accept(const std::string& challenge, const std::stop_token& stop) {
  return Do(Post(PathOf({"api", "challenge", challenge, "accept"})), stop);
}

absl::Status LichessApi::Decline(const std::string& challenge, const std::string& reason, const std::stop_token& stop) {
  return Do(PostForm(PathOf({"api", "challenge", challenge, "decline"}), {{"reason", reason}}), stop);
}

absl::Status LichessApi::Cancel(const std::string& challenge, const std::stop_token& stop) {
  return Do(Post(PathOf({"api", "challenge", challenge, "cancel"})), stop);
}

absl::Status LichessApi::Move(const std::string& game, const std::string& uci, bool offering_draw,
                              absl::Duration patience, const std::stop_token& stop) {
  Request request = Post(PathOf({"api", "bot", "game", game, "move", uci}));
  if (offering_draw) request.path += "?offeringDraw=true";
  request.timeout = patience;
  return Do(std::move(request), stop);
}

absl::Status LichessApi::Act(const std::string& game, const std::string& action, const std::stop_token& stop) {
  return Do(Post(ActionPath(game, action)), stop);
}

absl::Status LichessApi::Chat(const std::string& game, const std::string& room, const std::string& text,
                              const std::stop_token& stop) {
  return Do(PostForm(PathOf({"api", "bot", "game", game, "chat"}), {{"room", room}, {"text", text}}), stop);
}

}  // namespace kibitz::client::lichess
