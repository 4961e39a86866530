#include "tests/support/lichess/external_engine_api.h"

#include <optional>
#include <string>
#include <utility>

#include "tests/support/lichess/authorized.h"
#include "tests/support/lichess/stand_in.h"

namespace kibitz::stand_in {
namespace {

using nlohmann::json;

json Body(const HttpRequest& request) {
  return json::parse(request.body, /*callback=*/nullptr, /*allow_exceptions=*/false);
}

std::string TextAt(const json& object, const char* name) {
  return object.is_object() && object.contains(name) && object[name].is_string() ? object[name].get<std::string>() : "";
}

HttpReply JsonReply(const absl::StatusOr<json>& answer) {
  return answer.ok() ? HttpReply{.body = answer->dump()} : ReplyOf(answer.status());
}

void AddRegistration(HttpServer& http, World& world, EngineBroker& broker) {
  const std::string one = "/api/external-engine/(\\w+)";
  http.Handle("GET", "/api/external-engine",
              For(world, {"engine:read"}, [&broker](const HttpRequest&, const Account& account) {
                return HttpReply{.body = broker.List(account.id()).dump()};
              }));
  http.Handle("POST", "/api/external-engine",
              For(world, {"engine:write"}, [&broker](const HttpRequest& request, const Account& account) {
                return JsonReply(broker.Create(account.id(), Body(request)));
              }));
  http.Handle("GET", one, For(world, {"engine:read"}, [&broker](const HttpRequest& request, const Account& account) {
                return JsonReply(broker.Get(account.id(), request.matches[0]));
              }));
  http.Handle("PUT", one, For(world, {"engine:write"}, [&broker](const HttpRequest& request, const Account& account) {
                return JsonReply(broker.Update(account.id(), request.matches[0], Body(request)));
              }));
  http.Handle("DELETE", one,
              For(world, {"engine:write"}, [&broker](const HttpRequest& request, const Account& account) {
                return ReplyOf(broker.Delete(account.id(), request.matches[0]));
              }));
}

}  // namespace

void AddExternalEngineApi(HttpServer& http, World& world, EngineBroker& broker) {
  AddRegistration(http, world, broker);
  http.Handle("POST", "/api/external-engine/(\\w+)/analyse", [&broker](const HttpRequest& request) {
    const json body = Body(request);
    const json work = body.is_object() && body.contains("work") ? body["work"] : json::object();
    auto stream = broker.Analyse(request.matches[0], TextAt(body, "clientSecret"), work);
    return stream.ok() ? HttpReply{.stream = *std::move(stream)} : ReplyOf(stream.status());
  });
  const std::string work = "/api/external-engine/work";
  http.Handle("POST", work, [&broker](const HttpRequest& request) {
    const std::string secret = TextAt(Body(request), "providerSecret");
    if (secret.empty()) return ErrorReply(400, "no providerSecret");
    const std::optional<json> offer = broker.Acquire(secret);
    return offer ? HttpReply{.body = offer->dump()} : HttpReply{.status = 204};
  });
  http.HandleUpload(work + "/(\\w+)", [&broker](const HttpRequest& request, Upload& upload) {
    return ReplyOf(broker.Submit(request.matches[0], upload));
  });
}

}  // namespace kibitz::stand_in
