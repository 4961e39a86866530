#include "server/log/log.h"

#include <unistd.h>

#include <chrono>
#include <ctime>
#include <utility>

#include "nlohmann/json.hpp"
#include "server/errors/errors.h"
#include "spdlog/pattern_formatter.h"
#include "spdlog/sinks/stdout_sinks.h"
#include "spdlog/spdlog.h"

namespace kibitz::server {
namespace {

constexpr std::size_t kMaxMessageBytes = 4000;

absl::string_view View(spdlog::string_view_t text) { return {text.data(), text.size()}; }

// For people: as spdlog writes it, with nothing in it that a terminal would obey.
class TextFormatter final : public spdlog::formatter {
 public:
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& line) override {
    const std::string printable = Printable(View(message.payload), kMaxMessageBytes);
    spdlog::details::log_msg escaped = message;
    escaped.payload = printable;
    pattern_.format(escaped, line);
  }
  std::unique_ptr<spdlog::formatter> clone() const override { return std::make_unique<TextFormatter>(); }

 private:
  spdlog::pattern_formatter pattern_{"%Y-%m-%dT%H:%M:%S.%e %l %v"};
};

// For programs: an object on a line.
class JsonFormatter final : public spdlog::formatter {
 public:
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& line) override {
    const std::time_t seconds = spdlog::log_clock::to_time_t(message.time);
    const auto milliseconds =
        std::chrono::duration_cast<std::chrono::milliseconds>(message.time.time_since_epoch()).count() % 1000;
    std::tm utc{};
    gmtime_r(&seconds, &utc);
    const absl::string_view payload = View(message.payload);
    const bool fields = View(message.logger_name) == kFieldsLogger;
    fmt::format_to(
        std::back_inserter(line), R"({{"time":"{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z","level":"{}",{}{}}})",
        utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, milliseconds,
        spdlog::level::to_string_view(message.level),
        fields ? "" : "\"message\":", fields ? std::string(payload) : JsonString(payload.substr(0, kMaxMessageBytes)));
    line.push_back('\n');
  }
  std::unique_ptr<spdlog::formatter> clone() const override { return std::make_unique<JsonFormatter>(); }
};

}  // namespace

LogFormat LogFormatForStandardError() { return isatty(STDERR_FILENO) == 1 ? LogFormat::kText : LogFormat::kJson; }

std::unique_ptr<spdlog::formatter> MakeLogFormatter(LogFormat format) {
  if (format == LogFormat::kText) return std::make_unique<TextFormatter>();
  return std::make_unique<JsonFormatter>();
}

std::string JsonString(absl::string_view text) {
  return nlohmann::json(std::string(text))
      .dump(-1, ' ', /*ensure_ascii=*/true, nlohmann::json::error_handler_t::replace);
}

void SetUpLog(const std::string& level, LogFormat format) {
  const auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  sink->set_formatter(MakeLogFormatter(format));
  spdlog::set_default_logger(std::make_shared<spdlog::logger>("", sink));
  spdlog::drop(kFieldsLogger);
  if (format == LogFormat::kJson) spdlog::register_logger(std::make_shared<spdlog::logger>(kFieldsLogger, sink));
  spdlog::set_level(spdlog::level::from_str(level));
  // A log that cannot be written is no reason to stop, nor to write about that.
  spdlog::set_error_handler([](const std::string& /*message*/) {});
}

}  // namespace kibitz::server
