#include "server/scheduler/failure.h"

#include <exception>
#include <new>

#include "absl/time/time.h"
#include "server/errors/errors.h"
#include "server/errors/log_limit.h"
#include "spdlog/spdlog.h"

namespace kibitz::server {
namespace {

constexpr absl::Duration kMemoryRetryDelay = absl::Seconds(5);

void Log(const char* what) {
  static LogLimit limit;
  if (limit.Allow()) spdlog::error("a task failed: {}", what);
}

absl::Status Describe() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    Log("there is no memory left");
    return Exhausted("MEMORY_EXHAUSTED", "there is no memory left for this now", kMemoryRetryDelay);
  } catch (const std::exception& error) {
    Log(error.what());
  } catch (...) {
    Log("unknown exception");
  }
  return Failure(absl::StatusCode::kInternal, "TASK_FAILED", "the server could not do this");
}

}  // namespace

absl::Status HandledFailure() noexcept {
  try {
    return Describe();
  } catch (...) {
    // Not even a description could be made. A status without words needs no memory.
    return absl::Status(absl::StatusCode::kResourceExhausted, "");
  }
}

}  // namespace kibitz::server
