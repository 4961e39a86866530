#include "client/http/http_client.h"

#include <curl/curl.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/key.h"
#include "client/net/server_address.h"

namespace kibitz::client::http {
namespace {

struct BaseUrl {
  bool is_tls = false;
  ServerAddress address;
  std::string shown;
};

std::string PartOf(CURLU* url, CURLUPart part, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, flags) != CURLUE_OK) return "";
  std::string copy(text);
  curl_free(text);
  return copy;
}

absl::StatusOr<BaseUrl> ReadBaseUrl(const std::string& text) {
  const std::unique_ptr<CURLU, void (*)(CURLU*)> url(curl_url(), curl_url_cleanup);
  const bool is_url = url != nullptr && curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) == CURLUE_OK;
  const std::string scheme = is_url ? PartOf(url.get(), CURLUPART_SCHEME) : "";
  if (scheme != "http" && scheme != "https") {
    return absl::InvalidArgumentError(
        absl::StrCat("'", OneLine(text), "' is not a base URL, such as https://lichess.org"));
  }
  // What follows is the paths' part, and a password in a URL is one that is shown.
  for (const CURLUPart part : {CURLUPART_QUERY, CURLUPART_FRAGMENT, CURLUPART_USER, CURLUPART_PASSWORD}) {
    if (!PartOf(url.get(), part).empty()) {
      return absl::InvalidArgumentError("a base URL has no user, password, query or fragment");
    }
  }
  const std::string port = PartOf(url.get(), CURLUPART_PORT);
  BaseUrl base{.is_tls = scheme == "https",
               .address = {.host = PartOf(url.get(), CURLUPART_HOST),
                           .port = PartOf(url.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT)},
               .shown = ""};
  base.shown = absl::StrCat(base.address.host, port.empty() ? "" : ":", port);
  if (base.address.host.starts_with('[')) base.address.host = base.address.host.substr(1, base.address.host.size() - 2);
  return base;
}

}  // namespace

absl::StatusOr<std::unique_ptr<HttpClient>> HttpClient::Open(const HttpClientOptions& options) {
  if (absl::Status status = CheckKey(options.token); !status.ok()) return status;
  absl::StatusOr<BaseUrl> base = ReadBaseUrl(options.base_url);
  if (!base.ok()) return base.status();
  if (!options.token.empty() && !base->is_tls && !options.insecure && !IsLoopback(base->address)) {
    return absl::FailedPreconditionError(absl::StrCat("the token would go to ", base->shown,
                                                      " in plaintext, for all on the way to read: take https://"));
  }
  HttpClientOptions own = options;
  while (own.base_url.ends_with('/')) own.base_url.pop_back();
  return std::unique_ptr<HttpClient>(new HttpClient(std::move(own), base->shown));
}

HttpClient::HttpClient(HttpClientOptions options, std::string host)
    : options_(std::move(options)), host_(std::move(host)) {}

TransferSpec HttpClient::SpecOf(const Request& request, TransferEvents events) const {
  return {.request = request,
          .url = options_.base_url + request.path,
          .host = host_,
          .user_agent = options_.user_agent,
          .bearer = options_.token,
          .ca_file = options_.ca_file,
          .connect_timeout = options_.connect_timeout,
          .events = std::move(events)};
}

absl::StatusOr<Response> HttpClient::Exchange(const Request& request, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any changed;
  Response response;
  std::optional<absl::Status> end;
  bool too_long = false;
  TransferEvents events{.on_head =
                            [&](const ResponseHead& head) {
                              std::lock_guard lock(mutex);
                              response = Response{head};
                            },
                        .on_data =
                            [&](std::string_view data) {
                              std::lock_guard lock(mutex);
                              too_long = too_long || response.body.size() + data.size() > request.max_body_bytes;
                              if (too_long) changed.notify_all();
                              if (!too_long) response.body.append(data);
                              return true;
                            },
                        .on_end =
                            [&](const absl::Status& status) {
                              std::lock_guard lock(mutex);
                              end = status;
                              changed.notify_all();
                            }};
  const Transfer transfer(loop_, SpecOf(request, std::move(events)));
  std::unique_lock lock(mutex);
  if (!changed.wait(lock, stop, [&] { return end || too_long; })) {
    return absl::CancelledError(absl::StrCat("the request to ", host_, " was given up"));
  }
  if (too_long) {
    return absl::ResourceExhaustedError(
        absl::StrCat(host_, " answered with more than ", request.max_body_bytes, " bytes"));
  }
  if (!end->ok()) return *end;
  return response;
}

absl::StatusOr<Response> HttpClient::Send(const Request& request, const std::stop_token& stop) {
  if (absl::Status status = AwaitTurn(stop); !status.ok()) return status;
  absl::StatusOr<Response> response = Exchange(request, stop);
  if (response.ok()) Heed(*response);
  if (options_.one_at_a_time) {
    std::lock_guard lock(mutex_);
    occupied_ = false;
    left_.notify_one();
  }
  return response;
}

absl::StatusOr<Response> HttpClient::SendPatiently(const Request& request, const RetryPolicy& policy,
                                                   const std::stop_token& stop) {
  Backoff backoff(policy.backoff);
  const absl::Time latest = options_.clock->Now() + policy.max_time;
  for (int attempt = 1;; ++attempt) {
    absl::StatusOr<Response> response = Send(request, stop);
    const absl::Status status = response.ok() ? StatusOf(*response) : response.status();
    if (status.ok()) return response;
    const absl::Duration told =
        response.ok() ? RetryAfter(*response).value_or(absl::ZeroDuration()) : absl::ZeroDuration();
    const absl::Duration pause = std::max(backoff.Next(), told);
    const absl::Time next = std::max(options_.clock->Now() + pause, free_at());
    if (!MayPass(status) || attempt >= policy.max_attempts || next > latest) return status;
    if (!options_.clock->WaitUntil(next, stop)) return absl::CancelledError("the request was given up");
  }
}

absl::StatusOr<std::unique_ptr<LineStream>> HttpClient::OpenLines(const Request& request,
                                                                  const LineStreamOptions& options,
                                                                  const std::stop_token& stop) {
  if (absl::Time free = free_at(); !options_.clock->WaitUntil(free, stop)) {
    return absl::CancelledError("the stream was given up");
  }
  auto stream = std::make_unique<LineStream>(options, stop, host_);
  TransferSpec spec = SpecOf(request, stream->Events());
  spec.is_stream = true;
  spec.stall_timeout = options.stall_timeout;
  stream->transfer_ = std::make_unique<Transfer>(loop_, std::move(spec));
  absl::StatusOr<Response> head = stream->AwaitHead();
  if (!head.ok()) return head.status();
  Heed(*head);
  if (absl::Status status = StatusOf(*head); !status.ok()) return status;
  return stream;
}

absl::StatusOr<std::unique_ptr<UploadStream>> HttpClient::OpenUpload(const Request& request,
                                                                     UploadStreamOptions options,
                                                                     const std::stop_token& stop) {
  if (absl::Time free = free_at(); !options_.clock->WaitUntil(free, stop)) {
    return absl::CancelledError("the upload was given up");
  }
  const absl::Duration stall_timeout = options.stall_timeout;
  auto stream = std::make_unique<UploadStream>(std::move(options), stop);
  TransferSpec spec = SpecOf(request, stream->Events());
  spec.is_stream = true;
  spec.stall_timeout = stall_timeout;
  stream->transfer_ = std::make_unique<Transfer>(loop_, std::move(spec));
  return stream;
}

absl::Time HttpClient::free_at() const {
  std::lock_guard lock(mutex_);
  return free_at_;
}

absl::Status HttpClient::AwaitTurn(const std::stop_token& stop) {
  const auto given_up = [&] { return absl::CancelledError(absl::StrCat("the request to ", host_, " was given up")); };
  if (options_.one_at_a_time) {
    std::unique_lock lock(mutex_);
    if (!left_.wait(lock, stop, [&] { return !occupied_; })) return given_up();
    occupied_ = true;
  }
  while (true) {
    const absl::Time free = free_at();
    if (stop.stop_requested() || !options_.clock->WaitUntil(free, stop)) break;
    if (free_at() <= free) return absl::OkStatus();
  }
  if (options_.one_at_a_time) {
    std::lock_guard lock(mutex_);
    occupied_ = false;
    left_.notify_one();
  }
  return given_up();
}

void HttpClient::Heed(const ResponseHead& head) {
  if (head.status != 429) return;
  const absl::Time free = options_.clock->Now() + RetryAfter(head).value_or(options_.pause_after_429);
  std::lock_guard lock(mutex_);
  free_at_ = std::max(free_at_, free);
}

}  // namespace kibitz::client::http
