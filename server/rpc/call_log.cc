#include "server/rpc/call_log.h"

#include <chrono>
#include <string>

#include "absl/strings/str_cat.h"
#include "spdlog/spdlog.h"

namespace kibitz::server {
namespace {

double Milliseconds(std::chrono::nanoseconds duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

}  // namespace

void CallLog::Record(const Call& call, const CallOutcome& outcome) {
  const bool cheap = outcome.code == absl::StatusCode::kOk && call.work().tasks() == 0;
  const bool sampled = !cheap || cheap_calls_.fetch_add(1, std::memory_order_relaxed) % one_in_ == 0;
  const spdlog::level::level_enum level = sampled ? spdlog::level::info : spdlog::level::debug;
  if (!spdlog::should_log(level)) return;
  if (sampled && !limit_.Allow()) {
    left_out_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (const std::int64_t left_out = left_out_.exchange(0, std::memory_order_relaxed); left_out > 0) {
    spdlog::info("{} calls are not listed here", left_out);
  }
  LogFields fields = FieldsOf(call, outcome);
  if (cheap && sampled && one_in_ > 1) fields.Add("one_in", std::int64_t{one_in_});
  fields.Log(level);
}

LogFields CallLog::FieldsOf(const Call& call, const CallOutcome& outcome) {
  const CallWork& work = call.work();
  LogFields fields("call");
  fields.Add("request_id", call.request_id()).Add("method", call.method()).Add("peer", call.peer());
  if (!call.tenant()->name.empty()) fields.Add("tenant", call.tenant()->name);
  if (work.position_key() != 0) fields.Add("position", absl::StrCat(absl::Hex(work.position_key(), absl::kZeroPad16)));
  if (work.tasks() > 1) fields.Add("searches", std::int64_t{work.tasks()});
  if (work.tasks() > 0) fields.Add("nodes", work.nodes());
  if (work.stop_reason() != nullptr) fields.Add("stop_reason", absl::string_view(work.stop_reason()));
  fields.Add("code", absl::StatusCodeToString(outcome.code));
  if (!outcome.reason.empty()) fields.Add("reason", outcome.reason);
  fields.Add("duration_ms", Milliseconds(outcome.duration));
  if (work.first_update().count() > 0) fields.Add("first_update_ms", Milliseconds(work.first_update()));
  return fields;
}

}  // namespace kibitz::server
