// Where the log goes and how its lines look: for people on a terminal, for programs elsewhere.

#ifndef KIBITZ_SERVER_LOG_LOG_H_
#define KIBITZ_SERVER_LOG_LOG_H_

#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "spdlog/formatter.h"

namespace kibitz::server {

enum class LogFormat {
  kText,  // 2026-11-17T23:27:55.060 info stopping
  kJson,  // {"time":"2026-11-17T23:27:55.060Z","level":"info","message":"stopping"}
};

// Text where standard error is a terminal.
LogFormat LogFormatForStandardError();

// Logs to standard error from now on, what is at least as grave as `level` (debug, info, warn, error, off).
void SetUpLog(const std::string& level, LogFormat format);

// Whatever is logged becomes one line: what would break it, or is not UTF-8, is escaped, and what is very long is cut.
std::unique_ptr<spdlog::formatter> MakeLogFormatter(LogFormat format);

// A string as JSON has it, quotes included: ASCII only, with U+FFFD for what is not UTF-8.
std::string JsonString(absl::string_view text);

// Messages of a logger of this name are members of a JSON object already.
inline constexpr char kFieldsLogger[] = "fields";

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_LOG_LOG_H_
