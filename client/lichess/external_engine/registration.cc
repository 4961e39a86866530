#include "client/lichess/external_engine/registration.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/http/json.h"
#include "client/http/request.h"

namespace kibitz::client::lichess {
namespace {

using nlohmann::json;

// Nobody waits longer for a program to begin.
constexpr absl::Duration kPatience = absl::Minutes(2);

absl::Status Because(const absl::Status& status) {
  const char* hint = "";
  if (absl::IsUnauthenticated(status)) hint = ": is the token still valid?";
  if (absl::IsPermissionDenied(status)) hint = ": the token needs the scopes engine:read and engine:write";
  return absl::Status(status.code(), absl::StrCat("Lichess does not register the engine: ", status.message(), hint));
}

absl::StatusOr<json> Ask(http::HttpClient& lichess, const http::Request& request, const std::stop_token& stop) {
  const auto response = lichess.SendPatiently(request, {.max_time = kPatience}, stop);
  if (!response.ok()) return Because(response.status());
  absl::StatusOr<json> answer = http::ParseJson(response->body);
  return answer.ok() ? answer : Because(answer.status());
}

std::string PathOfAll() { return http::PathOf({"api", "external-engine"}); }
std::string PathOfOne(const std::string& id) { return http::PathOf({"api", "external-engine", id}); }

// The ids of the user's engines of this name.
absl::StatusOr<std::vector<std::string>> FindByName(http::HttpClient& lichess, const std::string& name,
                                                    const std::stop_token& stop) {
  const absl::StatusOr<json> list = Ask(lichess, http::Get(PathOfAll()), stop);
  if (!list.ok()) return list.status();
  if (!list->is_array()) return Because(absl::InternalError("its list of engines is none"));
  std::vector<std::string> ids;
  for (const json& engine : *list) {
    const std::optional<std::string> id = http::StringAt(engine, "id");
    if (id && http::StringAt(engine, "name") == name) ids.push_back(*id);
  }
  return ids;
}

}  // namespace

absl::StatusOr<std::string> Register(http::HttpClient& lichess, const Registration& registration,
                                     const std::stop_token& stop) {
  const auto ids = FindByName(lichess, registration.name, stop);
  if (!ids.ok()) return ids.status();
  const std::string body = http::ToText({{"name", registration.name},
                                         {"maxThreads", registration.max_threads},
                                         {"maxHash", registration.max_hash_mb},
                                         {"defaultDepth", registration.default_depth},
                                         {"variants", json::array({"chess"})},
                                         {"providerSecret", registration.provider_secret}});
  const absl::StatusOr<json> engine = Ask(
      lichess, ids->empty() ? http::PostJson(PathOfAll(), body) : http::PutJson(PathOfOne(ids->front()), body), stop);
  if (!engine.ok()) return engine.status();
  std::optional<std::string> id = http::StringAt(*engine, "id");
  if (!id) return Because(absl::InternalError("its answer has no id"));
  return *std::move(id);
}

absl::StatusOr<int> Unregister(http::HttpClient& lichess, const std::string& name, const std::stop_token& stop) {
  const auto ids = FindByName(lichess, name, stop);
  if (!ids.ok()) return ids.status();
  for (const std::string& id : *ids) {
    const auto answer = Ask(lichess, http::Delete(PathOfOne(id)), stop);
    if (!answer.ok() && !absl::IsNotFound(answer.status())) return answer.status();
  }
  return static_cast<int>(ids->size());
}

}  // namespace kibitz::client::lichess
