#include "server/rpc/call_log.h"

#include <chrono>
#include <string>

#include "server/errors/errors.h"
#include "spdlog/spdlog.h"

namespace kibitz::server {

void CallLog::Record(const Call& call, const CallOutcome& outcome) {
  const spdlog::level::level_enum level =
      outcome.code == absl::StatusCode::kOk ? spdlog::level::debug : spdlog::level::info;
  if (!spdlog::should_log(level)) return;
  if (level != spdlog::level::debug && !limit_.Allow()) {
    left_out_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (const std::int64_t left_out = left_out_.exchange(0, std::memory_order_relaxed); left_out > 0) {
    spdlog::info("{} calls are not listed here", left_out);
  }
  spdlog::log(level, "call {} {} from {}: {}{}{} after {:.1f} ms", call.request_id(), Printable(call.method()),
              call.peer(), absl::StatusCodeToString(outcome.code), outcome.reason.empty() ? "" : " ", outcome.reason,
              std::chrono::duration<double, std::milli>(outcome.duration).count());
}

}  // namespace kibitz::server
