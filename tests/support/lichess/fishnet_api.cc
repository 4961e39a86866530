#include "tests/support/lichess/fishnet_api.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "tests/support/lichess/authorized.h"
#include "tests/support/lichess/stand_in.h"

namespace kibitz::stand_in {
namespace {

using nlohmann::json;
using KeyState = FishnetQueue::KeyState;

// 401 for a key that there is not, 403 for one that is disabled.
HttpHandler ForKeys(FishnetQueue& queue, std::function<HttpReply(const HttpRequest&)> handler) {
  return [&queue, handler = std::move(handler)](const HttpRequest& request) {
    const KeyState state = queue.Check(request.bearer);
    if (state == KeyState::kUnknown) return ErrorReply(401, "Unknown key");
    if (state == KeyState::kDisabled) return ErrorReply(403, "Key disabled");
    return handler(request);
  };
}

HttpReply Acquire(FishnetQueue& queue, const HttpRequest& request) {
  const std::optional<json> work = queue.Acquire(request.bearer, request.Param("slow") == "true");
  return work ? HttpReply{.status = 202, .body = work->dump()} : HttpReply{.status = 204};
}

json Body(const HttpRequest& request) {
  return json::parse(request.body, /*callback=*/nullptr, /*allow_exceptions=*/false);
}

// What follows an answer: more work, unless that is not wanted or the answer was no good.
HttpReply AfterAnswer(FishnetQueue& queue, const HttpRequest& request, const absl::Status& status, bool whole) {
  if (!status.ok()) return ReplyOf(status);
  if (!whole || request.Param("stop") == "true") return {.status = 204};
  return Acquire(queue, request);
}

}  // namespace

void AddFishnetApi(HttpServer& http, FishnetQueue& queue) {
  http.Handle("POST", "/fishnet/acquire",
              ForKeys(queue, [&queue](const HttpRequest& request) { return Acquire(queue, request); }));
  http.Handle("POST", "/fishnet/analysis/(\\w+)", ForKeys(queue, [&queue](const HttpRequest& request) {
                const json body = Body(request);
                const absl::Status status = queue.Analysis(request.bearer, request.matches[0], body);
                return AfterAnswer(queue, request, status, status.ok() && !body["analysis"][0].is_null());
              }));
  http.Handle("POST", "/fishnet/move/(\\w+)", ForKeys(queue, [&queue](const HttpRequest& request) {
                const absl::Status status = queue.Move(request.bearer, request.matches[0], Body(request));
                return AfterAnswer(queue, request, status, status.ok());
              }));
  http.Handle("POST", "/fishnet/abort/(\\w+)", ForKeys(queue, [&queue](const HttpRequest& request) {
                const absl::Status status = queue.Abort(request.bearer, request.matches[0]);
                return status.ok() ? HttpReply{.status = 204} : ReplyOf(status);
              }));
  http.Handle("GET", "/fishnet/status",
              [&queue](const HttpRequest&) { return HttpReply{.body = queue.Status().dump()}; });
  http.Handle("GET", "/fishnet/key", ForKeys(queue, [](const HttpRequest&) { return HttpReply{.status = 204}; }));
}

}  // namespace kibitz::stand_in
