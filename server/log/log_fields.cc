#include "server/log/log_fields.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "server/errors/errors.h"
#include "server/log/log.h"
#include "spdlog/spdlog.h"

namespace kibitz::server {
namespace {

constexpr std::size_t kMaxValueBytes = 500;

// In quotes where it would be taken for more than one value.
std::string TextValue(absl::string_view value) {
  const std::string printable = Printable(value, kMaxValueBytes);
  if (!printable.empty() && printable.find_first_of(" =\"") == std::string::npos) return printable;
  return absl::StrCat("\"", absl::StrReplaceAll(printable, {{"\"", "\\\""}}), "\"");
}

}  // namespace

LogFields::LogFields(absl::string_view message)
    : text_(message), json_(absl::StrCat("\"message\":", JsonString(message))) {}

LogFields& LogFields::Add(absl::string_view name, absl::string_view value) {
  return Append(name, TextValue(value), JsonString(value.substr(0, kMaxValueBytes)));
}

LogFields& LogFields::Add(absl::string_view name, std::int64_t value) {
  const std::string digits = absl::StrCat(value);
  return Append(name, digits, digits);
}

LogFields& LogFields::Add(absl::string_view name, double value) {
  const std::string digits = absl::StrFormat("%.1f", value);
  return Append(name, digits, digits);
}

LogFields& LogFields::Append(absl::string_view name, absl::string_view text, absl::string_view json) {
  absl::StrAppend(&text_, " ", name, "=", text);
  absl::StrAppend(&json_, ",\"", name, "\":", json);
  return *this;
}

void LogFields::Log(spdlog::level::level_enum level) const {
  if (const std::shared_ptr<spdlog::logger> logger = spdlog::get(kFieldsLogger)) {
    logger->log(level, json_);
  } else {
    spdlog::log(level, text_);
  }
}

}  // namespace kibitz::server
