// A log line of named values.

#ifndef KIBITZ_SERVER_LOG_LOG_FIELDS_H_
#define KIBITZ_SERVER_LOG_LOG_FIELDS_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "spdlog/common.h"

namespace kibitz::server {

// In text `call method=/a.B/C code=OK`, in JSON members of the line's object beside "message":"call". Names are plain
// words; values may hold anything.
class LogFields {
 public:
  explicit LogFields(absl::string_view message);

  LogFields& Add(absl::string_view name, absl::string_view value);
  LogFields& Add(absl::string_view name, std::int64_t value);
  // With one digit after the point.
  LogFields& Add(absl::string_view name, double value);

  // What it is in either form.
  const std::string& text() const { return text_; }
  const std::string& json() const { return json_; }

  // Logs it in the form of the log.
  void Log(spdlog::level::level_enum level) const;

 private:
  LogFields& Append(absl::string_view name, absl::string_view text, absl::string_view json);

  std::string text_;
  std::string json_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_LOG_LOG_FIELDS_H_
