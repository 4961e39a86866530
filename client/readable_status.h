// What a failed call means, in words for the person who made it.

#ifndef KIBITZ_CLIENT_READABLE_STATUS_H_
#define KIBITZ_CLIENT_READABLE_STATUS_H_

#include <grpcpp/support/status.h>

#include <functional>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "kibitz/v1/analysis.pb.h"

namespace kibitz::client {

// The other end of a call.
struct Peer {
  // What messages call it.
  std::string name;
  // Looks again at one that was there but could not be talked to, and says what is wrong: it speaks TLS and we do not,
  // or its certificate is not to be trusted. Empty when that is not it. May be absent.
  std::function<std::string()> look_again{};
};

// Turns the outcome of a call into a status of the same code, whose message names the field at fault and the reason,
// and says when to try again if the server did. A call that never reached a server says so.
absl::Status ReadableStatus(const grpc::Status& status, const Peer& server);

// The same for a search that a session refused.
absl::Status ReadableRefusal(const v1::AnalyzeSessionResponse::Refused& refused);

// The path of the first field that the server refused, such as "position.moves[3]". Empty when the failure is of
// another kind.
std::string FieldAtFault(const absl::Status& status);

// Whether there was a connection to a server, and it was lost over the call.
bool IsConnectionLost(const absl::Status& status);

// After how long the server wants to be asked again. Nothing where it would say the same then.
std::optional<absl::Duration> RetryDelay(const absl::Status& status);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_READABLE_STATUS_H_
