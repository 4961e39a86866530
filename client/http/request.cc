#include "client/http/request.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "client/http/json.h"

namespace kibitz::client::http {
namespace {

constexpr char kHex[] = "0123456789ABCDEF";

// All but what RFC 3986 calls unreserved. A segment of dots alone would be taken for a step up.
std::string Escape(std::string_view text) {
  const bool only_dots = text.find_first_not_of('.') == std::string_view::npos;
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = absl::ascii_isalnum(byte) || c == '-' || c == '_' || c == '~' || (c == '.' && !only_dots);
    if (plain) {
      escaped += c;
    } else {
      escaped += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return escaped;
}

Request MakeRequest(Method method, std::string path, std::string content_type = "", std::string body = "") {
  return {.method = method, .path = std::move(path), .content_type = std::move(content_type), .body = std::move(body)};
}

// {"error": "..."}, or {"error": {...}} with whatever is in it; otherwise a short text as it is.
std::string ServersWords(const Response& response) {
  const auto json = ParseJson(response.body);
  if (json.ok() && json->is_object() && json->contains("error")) {
    return OneLine(StringAt(*json, "error").value_or(ToText((*json)["error"])));
  }
  const auto type = response.headers.find("content-type");
  const bool is_text = type != response.headers.end() && absl::StrContains(type->second, "text/plain");
  return is_text ? OneLine(response.body) : "";
}

absl::StatusCode CodeOf(int status) {
  switch (status) {
    case 400:
    case 405:
    case 406:
    case 413:
    case 422:
      return absl::StatusCode::kInvalidArgument;
    case 401:
      return absl::StatusCode::kUnauthenticated;
    case 403:
      return absl::StatusCode::kPermissionDenied;
    case 404:
    case 410:
      return absl::StatusCode::kNotFound;
    case 408:
      return absl::StatusCode::kUnavailable;
    case 409:
      return absl::StatusCode::kAborted;
    case 429:
      return absl::StatusCode::kResourceExhausted;
    case 501:
      return absl::StatusCode::kUnimplemented;
    default:
      return status >= 500 && status < 600 ? absl::StatusCode::kUnavailable : absl::StatusCode::kUnknown;
  }
}

}  // namespace

Request Get(std::string path) { return MakeRequest(Method::kGet, std::move(path)); }
Request Delete(std::string path) { return MakeRequest(Method::kDelete, std::move(path)); }
Request Post(std::string path) { return MakeRequest(Method::kPost, std::move(path)); }

Request PostForm(std::string path, const Fields& fields) {
  return MakeRequest(Method::kPost, std::move(path), "application/x-www-form-urlencoded", FormOf(fields));
}

Request PostJson(std::string path, std::string json) {
  return MakeRequest(Method::kPost, std::move(path), "application/json", std::move(json));
}

Request PutJson(std::string path, std::string json) {
  return MakeRequest(Method::kPut, std::move(path), "application/json", std::move(json));
}

std::string PathOf(std::initializer_list<std::string_view> segments) {
  std::string path;
  for (const std::string_view segment : segments) absl::StrAppend(&path, "/", Escape(segment));
  return path;
}

std::string FormOf(const Fields& fields) {
  std::string form;
  for (const auto& [name, value] : fields) {
    absl::StrAppend(&form, form.empty() ? "" : "&", Escape(name), "=", Escape(value));
  }
  return form;
}

absl::Status StatusOf(const Response& response) {
  if (response.IsSuccess()) return absl::OkStatus();
  const std::string words = ServersWords(response);
  return absl::Status(CodeOf(response.status),
                      absl::StrCat("HTTP status ", response.status, words.empty() ? "" : ": ", words));
}

std::optional<absl::Duration> RetryAfter(const ResponseHead& head) {
  const auto header = head.headers.find("retry-after");
  double seconds = 0;
  if (header == head.headers.end() || !absl::SimpleAtod(header->second, &seconds) || !(seconds >= 0)) {
    return std::nullopt;
  }
  return std::min(absl::Seconds(seconds), absl::Hours(24));
}

std::string OneLine(std::string_view words, std::size_t most) {
  std::string line(words.substr(0, most));
  for (char& c : line) {
    // Not only ASCII has characters that terminals obey.
    if (!absl::ascii_isprint(static_cast<unsigned char>(c))) c = absl::ascii_isascii(c) ? ' ' : '?';
  }
  absl::StripAsciiWhitespace(&line);
  if (words.size() > most) line += "...";
  return line;
}

}  // namespace kibitz::client::http
