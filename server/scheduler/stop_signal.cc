#include "server/scheduler/stop_signal.h"

#include "server/errors/errors.h"

namespace kibitz::server {

absl::Status StatusOf(StopCause cause) {
  switch (cause) {
    case StopCause::kNone:
      return absl::OkStatus();
    case StopCause::kCancelled:
      return Failure(absl::StatusCode::kCancelled, "CANCELLED", "the call was cancelled");
    case StopCause::kDeadline:
      return Failure(absl::StatusCode::kDeadlineExceeded, "DEADLINE_NEAR",
                     "the deadline came before there was a result");
    case StopCause::kTimeCap:
      return Failure(absl::StatusCode::kDeadlineExceeded, "TIME_CAP",
                     "the time that the server allows came to its end before there was a result");
    case StopCause::kQuota:
      return Failure(absl::StatusCode::kResourceExhausted, "NODES_EXHAUSTED", "the tenant has used what it may");
    case StopCause::kShutdown:
      return Failure(absl::StatusCode::kUnavailable, "SHUTTING_DOWN", "the server is shutting down");
    case StopCause::kFailed:
      return Failure(absl::StatusCode::kInternal, "TASK_FAILED", "the server could not do this");
  }
  return absl::InternalError("unknown cause");
}

}  // namespace kibitz::server
