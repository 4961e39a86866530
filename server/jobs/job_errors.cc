#include "server/jobs/job_errors.h"

#include "absl/strings/str_cat.h"
#include "server/errors/errors.h"

namespace kibitz::server {
namespace {

// When to try again what does not work now.
constexpr absl::Duration kRetryDelay = absl::Seconds(10);

}  // namespace

absl::Status NoSuchJob(absl::string_view id) {
  return Failure(absl::StatusCode::kNotFound, "NO_SUCH_JOB", absl::StrCat("you have no job ", Printable(id)));
}

absl::Status JobIdTaken(absl::string_view client_id) {
  return Failure(absl::StatusCode::kAlreadyExists, "JOB_ID_TAKEN",
                 absl::StrCat("you have given the name ", Printable(client_id), " to another request"));
}

absl::Status JobNotOver(absl::string_view id) {
  return Failure(absl::StatusCode::kFailedPrecondition, "JOB_NOT_OVER",
                 absl::StrCat("the job ", Printable(id), " is not over: cancel it first"));
}

absl::Status JobsFull(absl::string_view what, absl::Duration retry_after) {
  return Exhausted("JOBS_FULL", what, retry_after);
}

absl::Status JobQuotaExceeded(absl::string_view tenant, absl::string_view what, absl::Duration retry_after) {
  return QuotaExceeded("JOB_QUOTA", absl::StrCat("tenant:", tenant), what, retry_after);
}

absl::Status JobsUnavailable(absl::string_view why) {
  return Unavailable("JOBS_UNAVAILABLE", absl::StrCat("jobs cannot be kept now: ", why), kRetryDelay);
}

absl::Status BadPageToken() {
  return InvalidField("page_token", "INVALID_PAGE_TOKEN", "is not what the page before has given");
}

}  // namespace kibitz::server
