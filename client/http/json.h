// JSON that strangers wrote.

#ifndef KIBITZ_CLIENT_HTTP_JSON_H_
#define KIBITZ_CLIENT_HTTP_JSON_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "nlohmann/json.hpp"

namespace kibitz::client::http {

// Reads one value. An error says where the text stops being JSON. Deeper than `max_depth` is an error too: what works
// on such values calls itself for each level.
absl::StatusOr<nlohmann::json> ParseJson(std::string_view text, int max_depth = 32);

// The members of an object that are of the kind asked for. Where the value is no object, has no such member, or one of
// another kind, there is nothing.
std::optional<std::string> StringAt(const nlohmann::json& object, const char* name);
std::optional<bool> BoolAt(const nlohmann::json& object, const char* name);
// A number without a fraction that fits.
std::optional<std::int64_t> IntegerAt(const nlohmann::json& object, const char* name);
// An object or an array, or nullptr.
const nlohmann::json* ObjectAt(const nlohmann::json& object, const char* name);
const nlohmann::json* ArrayAt(const nlohmann::json& object, const char* name);

// One line of text for a value: bytes that are no UTF-8 are replaced, where the library would throw.
std::string ToText(const nlohmann::json& value);

}  // namespace kibitz::client::http

#endif  // KIBITZ_CLIENT_HTTP_JSON_H_
