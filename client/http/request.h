// What is said over HTTP: a request, and the answer to it.

#ifndef KIBITZ_CLIENT_HTTP_REQUEST_H_
#define KIBITZ_CLIENT_HTTP_REQUEST_H_

#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace kibitz::client::http {

enum class Method { kGet, kPost, kPut, kDelete };

using Fields = std::vector<std::pair<std::string, std::string>>;

struct Request {
  Method method = Method::kGet;
  // What follows the client's base URL, escaped: "/api/account". See PathOf and FormOf.
  std::string path{};
  // "Name: value"; none of them may hold a secret but those that the client itself sends.
  Fields headers{};
  std::string content_type{};
  std::string body{};
  // How long the exchange may take; of a stream, how long until its first header is here.
  absl::Duration timeout = absl::Seconds(30);
  // A longer answer is an error. Does not bound streams.
  std::size_t max_body_bytes = 8 << 20;
};

Request Get(std::string path);
Request Delete(std::string path);
Request Post(std::string path);
Request PostForm(std::string path, const Fields& fields);
Request PostJson(std::string path, std::string json);
Request PutJson(std::string path, std::string json);

// "/api/bot/game/abc/move/e2e4" of its segments, each escaped: whatever a server has said stays one segment.
std::string PathOf(std::initializer_list<std::string_view> segments);
// "rated=true&name=a%20b", for a form or, after a "?", for a path.
std::string FormOf(const Fields& fields);

struct ResponseHead {
  int status = 0;
  // By their names in lower case. Of several with one name, the last.
  std::map<std::string, std::string> headers{};

  bool IsSuccess() const { return status >= 200 && status < 300; }
};

struct Response : ResponseHead {
  std::string body{};
};

// What an answer means: OK for a success; otherwise a status of a fitting code, whose message has the server's own
// words if there are some ({"error": "..."}), on one line and not too long. 429 is RESOURCE_EXHAUSTED, 5xx is
// UNAVAILABLE.
absl::Status StatusOf(const Response& response);

// For how long the server asks to be left alone (Retry-After in seconds), at most a day.
std::optional<absl::Duration> RetryAfter(const ResponseHead& head);

// A stranger's words on one line, no longer than `most` bytes.
std::string OneLine(std::string_view words, std::size_t most = 200);

}  // namespace kibitz::client::http

#endif  // KIBITZ_CLIENT_HTTP_REQUEST_H_
