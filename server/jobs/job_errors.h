// What a queue of jobs answers when it does not do what was asked, whichever queue it is. See jobs.proto.

#ifndef KIBITZ_SERVER_JOBS_JOB_ERRORS_H_
#define KIBITZ_SERVER_JOBS_JOB_ERRORS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kibitz::server {

// NOT_FOUND: whoever asks has no such job.
absl::Status NoSuchJob(absl::string_view id);
// ALREADY_EXISTS: its owner has given the name to another request.
absl::Status JobIdTaken(absl::string_view client_id);
// FAILED_PRECONDITION: only what is over can be forgotten.
absl::Status JobNotOver(absl::string_view id);
// RESOURCE_EXHAUSTED: there are too many, or they take too much room; in words.
absl::Status JobsFull(absl::string_view what, absl::Duration retry_after);
// The same, because of what the tenant has here itself.
absl::Status JobQuotaExceeded(absl::string_view tenant, absl::string_view what, absl::Duration retry_after);
// UNAVAILABLE: jobs cannot be kept now, for the reason given.
absl::Status JobsUnavailable(absl::string_view why);

// What a list goes on from, which nobody has given out: INVALID_ARGUMENT.
absl::Status BadPageToken();

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_JOBS_JOB_ERRORS_H_
