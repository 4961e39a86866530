#include "client/fishnet/api.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/http/backoff.h"
#include "client/http/json.h"
#include "client/http/request.h"

namespace kibitz::client::fishnet {
namespace {

// A game of twelve thousand moves, and more.
constexpr std::size_t kMaxOfferBytes = 1 << 20;
// How long an answer is worth sending.
constexpr absl::Duration kPatience = absl::Minutes(2);
// How long the end may be held up by a server that may be giving out work.
constexpr absl::Duration kAcquireTime = absl::Seconds(10);

std::string Yes(bool yes) { return yes ? "true" : "false"; }

absl::StatusOr<std::optional<Offer>> ReadOffer(const http::Response& response) {
  if (response.status == 204 || response.body.empty()) return std::nullopt;
  absl::StatusOr<Offer> offer = ParseOffer(response.body);
  if (!offer.ok()) return absl::InternalError(absl::StrCat("work that is none: ", offer.status().message()));
  return *std::move(offer);
}

absl::Duration AgeAt(const nlohmann::json& status, const char* queue) {
  const nlohmann::json* const analysis = http::ObjectAt(status, "analysis");
  const nlohmann::json* const ages = analysis == nullptr ? nullptr : http::ObjectAt(*analysis, queue);
  if (ages == nullptr) return absl::ZeroDuration();
  return absl::Seconds(std::max<std::int64_t>(0, http::IntegerAt(*ages, "oldest").value_or(0)));
}

}  // namespace

bool IsFinal(const absl::Status& status) {
  return absl::IsUnauthenticated(status) || absl::IsPermissionDenied(status) || absl::IsInvalidArgument(status) ||
         absl::IsFailedPrecondition(status);
}

absl::Status Api::CheckKey(const std::stop_token& stop) {
  const absl::StatusOr<http::Response> response = server_.Send(http::Get(http::PathOf({"key"})), stop);
  if (!response.ok()) return response.status();
  return response->status == 404 ? absl::OkStatus() : http::StatusOf(*response);
}

absl::StatusOr<std::optional<QueueAges>> Api::Ages(const std::stop_token& stop) {
  const absl::StatusOr<http::Response> response = server_.Send(http::Get(http::PathOf({"status"})), stop);
  if (!response.ok()) return response.status();
  if (response->status == 404) return std::nullopt;
  if (absl::Status status = http::StatusOf(*response); !status.ok()) return status;
  const absl::StatusOr<nlohmann::json> status = http::ParseJson(response->body);
  if (!status.ok()) return absl::InternalError(absl::StrCat("a status that is none: ", status.status().message()));
  return QueueAges{.user = AgeAt(*status, "user"), .system = AgeAt(*status, "system")};
}

absl::StatusOr<std::optional<Offer>> Api::Acquire(bool slow, const std::stop_token& stop) {
  http::Request request =
      http::PostJson(absl::StrCat(http::PathOf({"acquire"}), "?", http::FormOf({{"slow", Yes(slow)}})), "{}");
  request.max_body_bytes = kMaxOfferBytes;
  request.timeout = kAcquireTime;
  // Once it is on its way a stop does not give it up: the server would think that we have the work.
  const bool free = server_.free_at() <= absl::Now();
  const absl::StatusOr<http::Response> response = free ? server_.Send(request) : server_.Send(request, stop);
  if (!response.ok()) return response.status();
  if (absl::Status status = http::StatusOf(*response); !status.ok()) return status;
  return ReadOffer(*response);
}

absl::StatusOr<std::optional<Offer>> Api::Submit(const char* kind, const std::string& id, std::string text,
                                                 const Wish& wish, const std::stop_token& stop) {
  const std::string path =
      absl::StrCat(http::PathOf({kind, id}), "?", http::FormOf({{"slow", Yes(wish.slow)}, {"stop", Yes(wish.stop)}}));
  http::Request request = http::PostJson(path, std::move(text));
  request.max_body_bytes = kMaxOfferBytes;
  // What is on its way is not given up by a stop: the server may have taken it.
  if (server_.free_at() <= absl::Now()) {
    const absl::StatusOr<http::Response> response = server_.Send(request);
    const absl::Status status = response.ok() ? http::StatusOf(*response) : response.status();
    if (status.ok()) return ReadOffer(*response);
    if (!http::MayPass(status)) return status;
  }
  const absl::StatusOr<http::Response> response = server_.SendPatiently(request, {.max_time = kPatience}, stop);
  if (!response.ok()) return response.status();
  return ReadOffer(*response);
}

absl::StatusOr<std::optional<Offer>> Api::SubmitAnalysis(const std::string& id, std::string text, const Wish& wish,
                                                         const std::stop_token& stop) {
  return Submit("analysis", id, std::move(text), wish, stop);
}

absl::StatusOr<std::optional<Offer>> Api::SubmitMove(const std::string& id, std::string text, const Wish& wish,
                                                     const std::stop_token& stop) {
  return Submit("move", id, std::move(text), wish, stop);
}

absl::Status Api::Report(const std::string& id, std::string text, const std::stop_token& stop) {
  const absl::StatusOr<http::Response> response =
      server_.Send(http::PostJson(http::PathOf({"analysis", id}), std::move(text)), stop);
  return response.ok() ? http::StatusOf(*response) : response.status();
}

absl::Status Api::Abort(const std::string& id) {
  // Somebody waits for the program to end.
  if (server_.free_at() > absl::Now()) return absl::UnavailableError("the server wants to be left alone");
  http::Request request = http::PostJson(http::PathOf({"abort", id}), "{}");
  request.timeout = absl::Seconds(5);
  const absl::StatusOr<http::Response> response =
      server_.SendPatiently(request, {.max_attempts = 3, .max_time = absl::Seconds(5)});
  return absl::IsNotFound(response.status()) ? absl::OkStatus() : response.status();
}

}  // namespace kibitz::client::fishnet
