#include "client/http/json.h"

#include <algorithm>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace kibitz::client::http {
namespace {

using nlohmann::json;

// How deep the brackets go, wherever they are well placed or not.
int DepthOf(std::string_view text) {
  int depth = 0;
  int deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return deepest;
}

const json* MemberAt(const json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto member = object.find(name);
  return member == object.end() ? nullptr : &*member;
}

}  // namespace

absl::StatusOr<json> ParseJson(std::string_view text, int max_depth) {
  if (DepthOf(text) > max_depth) {
    return absl::InvalidArgumentError(absl::StrCat("JSON that is more than ", max_depth, " levels deep"));
  }
  // The library tells where by an exception alone.
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    return absl::InvalidArgumentError(absl::StrCat("no JSON, from byte ", error.byte, " on"));
  } catch (const json::exception&) {
    return absl::InvalidArgumentError("JSON with a number out of range");
  }
}

std::optional<std::string> StringAt(const json& object, const char* name) {
  const json* const member = MemberAt(object, name);
  if (member == nullptr || !member->is_string()) return std::nullopt;
  return member->get<std::string>();
}

std::optional<bool> BoolAt(const json& object, const char* name) {
  const json* const member = MemberAt(object, name);
  if (member == nullptr || !member->is_boolean()) return std::nullopt;
  return member->get<bool>();
}

std::optional<std::int64_t> IntegerAt(const json& object, const char* name) {
  const json* const member = MemberAt(object, name);
  if (member == nullptr || !member->is_number_integer()) return std::nullopt;
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (member->is_number_unsigned() && member->get<std::uint64_t>() > kMost) return std::nullopt;
  return member->get<std::int64_t>();
}

const json* ObjectAt(const json& object, const char* name) {
  const json* const member = MemberAt(object, name);
  return member != nullptr && member->is_object() ? member : nullptr;
}

const json* ArrayAt(const json& object, const char* name) {
  const json* const member = MemberAt(object, name);
  return member != nullptr && member->is_array() ? member : nullptr;
}

std::string ToText(const json& value) {
  return value.dump(-1, ' ', /*ensure_ascii=*/false, json::error_handler_t::replace);
}

}  // namespace kibitz::client::http
