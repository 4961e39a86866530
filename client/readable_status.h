// What a failed call means, in words for the person who made it.

#ifndef KIBITZ_CLIENT_READABLE_STATUS_H_
#define KIBITZ_CLIENT_READABLE_STATUS_H_

#include <grpcpp/support/status.h>

#include <string>

#include "absl/status/status.h"
#include "kibitz/v1/analysis.pb.h"

namespace kibitz::client {

// Turns the outcome of a call to `server` into a status of the same code, whose message names the field at fault and
// the reason, and says when to try again if the server did. A call that never reached a server says so.
absl::Status ReadableStatus(const grpc::Status& status, const std::string& server);

// The same for a search that a session refused.
absl::Status ReadableRefusal(const v1::AnalyzeSessionResponse::Refused& refused);

// The path of the first field that the server refused, such as "position.moves[3]". Empty when the failure is of
// another kind.
std::string FieldAtFault(const absl::Status& status);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_READABLE_STATUS_H_
