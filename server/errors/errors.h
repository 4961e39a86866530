// Errors as Kibitz makes them: an absl::Status with a reason that programs may act upon and, where it applies, the
// field at fault and the time to come back.
//
// They travel as payloads, the google.rpc details (ErrorInfo, BadRequest, RetryInfo, QuotaFailure), put there where the
// error is made; server/rpc/grpc_status.h sends them on.

#ifndef KIBITZ_SERVER_ERRORS_ERRORS_H_
#define KIBITZ_SERVER_ERRORS_ERRORS_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kibitz::server {

// The domain of every ErrorInfo.
inline constexpr char kErrorDomain[] = "kibitz";

// An error with a stable reason in capitals ("SHUTTING_DOWN") that programs may act upon, and words for people.
absl::Status Failure(absl::StatusCode code, absl::string_view reason, absl::string_view message);

// Bad input: INVALID_ARGUMENT that names the field by its path ("position.moves[3]").
absl::Status InvalidField(absl::string_view field, absl::string_view reason, absl::string_view message);

// Too much at once: RESOURCE_EXHAUSTED that says when to come back.
absl::Status Exhausted(absl::string_view reason, absl::string_view message, absl::Duration retry_after);

// What is needed does not answer, and may do so later: UNAVAILABLE that says when to come back.
absl::Status Unavailable(absl::string_view reason, absl::string_view message, absl::Duration retry_after);

// Exhausted, because the caller has had what it is allowed: names whose quota it is ("tenant:site"), as QuotaFailure.
absl::Status QuotaExceeded(absl::string_view reason, absl::string_view subject, absl::string_view message,
                           absl::Duration retry_after);

// What such an error says besides its code. The reason is empty where it says nothing of it, the field where none is at
// fault.
struct Fault {
  std::string field;
  std::string description;
};
std::string ReasonOf(const absl::Status& status);
// When to come back. Nothing where it would be refused again.
std::optional<absl::Duration> RetryAfter(const absl::Status& status);
Fault FaultOf(const absl::Status& status);

// Whether an error says that the server would not do it, now or for this caller, rather than that the request was wrong
// or the server failed.
bool IsRefusal(absl::StatusCode code);

// Text from outside made safe to print or to send back: printable ASCII, the rest escaped, at most `max_size` long.
std::string Printable(absl::string_view text, std::size_t max_size = 100);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_ERRORS_ERRORS_H_
