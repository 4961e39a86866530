#include "client/readable_status.h"

#include <optional>
#include <vector>

#include "absl/strings/cord.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

namespace kibitz::client {
namespace {

// The details travel with the status under the name that google.rpc gives them.
constexpr char kBadRequestUrl[] = "type.googleapis.com/google.rpc.BadRequest";
constexpr char kRetryInfoUrl[] = "type.googleapis.com/google.rpc.RetryInfo";
// Of a status: there was a connection, and it was lost.
constexpr char kLostUrl[] = "kibitz/connection-lost";

// The first detail of one kind, if the server sent it.
template <typename Detail>
std::optional<Detail> FindDetail(const google::rpc::Status& details) {
  Detail found;
  for (const google::protobuf::Any& any : details.details()) {
    if (any.Is<Detail>() && any.UnpackTo(&found)) return found;
  }
  return std::nullopt;
}

std::string Describe(const google::rpc::BadRequest& bad_request) {
  std::vector<std::string> lines;
  for (const auto& violation : bad_request.field_violations()) {
    lines.push_back(absl::StrCat(violation.field(), ": ", violation.description()));
  }
  return absl::StrJoin(lines, "; ");
}

// So that FieldAtFault and RetryDelay find it.
void Attach(const char* url, const google::protobuf::Message& detail, absl::Status& status) {
  const std::string bytes = detail.SerializeAsString();
  status.SetPayload(url, absl::Cord(absl::string_view(bytes)));
}

template <typename Detail>
std::optional<Detail> Attached(const char* url, const absl::Status& status) {
  const auto payload = status.GetPayload(url);
  Detail detail;
  if (!payload || !detail.ParseFromString(std::string(*payload))) return std::nullopt;
  return detail;
}

absl::Duration ToDuration(const google::protobuf::Duration& duration) {
  return absl::Seconds(duration.seconds()) + absl::Nanoseconds(duration.nanos());
}

// Says when to come back, where the server did, in words and for RetryDelay.
absl::Status WithRetry(absl::StatusCode code, std::string message, const std::optional<google::rpc::RetryInfo>& retry) {
  if (!retry) return absl::Status(code, message);
  absl::StrAppend(&message, "; try again in ", absl::FormatDuration(ToDuration(retry->retry_delay())));
  absl::Status status(code, message);
  Attach(kRetryInfoUrl, *retry, status);
  return status;
}

// What gRPC says when there was a server, and it is gone. All else means that it was never reached.
bool IsLoss(const std::string& reason) {
  return !absl::StrContains(reason, "DNS resolution failed") && !absl::StrContains(reason, "failed to connect") &&
         !absl::StrContains(reason, "Failed to connect");
}

// gRPC's own account of a failed connection names sockets and retries; what matters is which of a few things happened.
std::string DescribeConnectionFailure(const std::string& reason, const Peer& server) {
  if (absl::StrContains(reason, "DNS resolution failed")) {
    return absl::StrCat("no server at ", server.name, ": the host name is unknown");
  }
  if (IsLoss(reason)) return absl::StrCat("the connection to ", server.name, " was lost");
  const bool refused = absl::StrContains(reason, "Connection refused");
  const std::string seen = server.look_again && !refused ? server.look_again() : "";
  return seen.empty() ? absl::StrCat("no server at ", server.name) : seen;
}

std::string Describe(const grpc::Status& status, const google::rpc::Status& details, const Peer& server) {
  if (auto bad_request = FindDetail<google::rpc::BadRequest>(details);
      bad_request && bad_request->field_violations_size() > 0) {
    return Describe(*bad_request);
  }
  const auto info = FindDetail<google::rpc::ErrorInfo>(details);
  const bool said_by_server = info.has_value();
  if (!said_by_server && status.error_code() == grpc::StatusCode::UNAVAILABLE) {
    return DescribeConnectionFailure(status.error_message(), server);
  }
  if (!said_by_server && status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED) {
    return absl::StrCat(server.name, " did not answer in time");
  }
  if (status.error_code() == grpc::StatusCode::UNIMPLEMENTED) {
    return absl::StrCat(server.name, " does not know this call: it is not a Kibitz server, or another version of it");
  }
  if (status.error_code() == grpc::StatusCode::UNAUTHENTICATED) {
    if (info && info->reason() == "MISSING_KEY") return absl::StrCat(server.name, " wants a key: --key-file FILE");
    return absl::StrCat(server.name, " does not accept this key: ", status.error_message());
  }
  return status.error_message();
}

}  // namespace

absl::Status ReadableStatus(const grpc::Status& status, const Peer& server) {
  if (status.ok()) return absl::OkStatus();
  google::rpc::Status details;
  if (!details.ParseFromString(status.error_details())) details.Clear();

  // gRPC took its codes over from Abseil's list, number for number.
  absl::Status readable = WithRetry(static_cast<absl::StatusCode>(status.error_code()),
                                    Describe(status, details, server), FindDetail<google::rpc::RetryInfo>(details));
  if (auto bad_request = FindDetail<google::rpc::BadRequest>(details)) Attach(kBadRequestUrl, *bad_request, readable);
  const bool said_by_server = FindDetail<google::rpc::ErrorInfo>(details).has_value();
  if (!said_by_server && absl::IsUnavailable(readable) && IsLoss(status.error_message())) {
    readable.SetPayload(kLostUrl, absl::Cord());
  }
  return readable;
}

absl::Status ReadableRefusal(const v1::AnalyzeSessionResponse::Refused& refused) {
  const auto code = static_cast<absl::StatusCode>(refused.code());
  if (refused.field().empty()) {
    std::optional<google::rpc::RetryInfo> retry;
    if (refused.has_retry_delay()) *retry.emplace().mutable_retry_delay() = refused.retry_delay();
    return WithRetry(code, refused.description(), retry);
  }
  google::rpc::BadRequest bad_request;
  google::rpc::BadRequest::FieldViolation& violation = *bad_request.add_field_violations();
  violation.set_field(refused.field());
  violation.set_description(refused.description());
  absl::Status readable(code, Describe(bad_request));
  Attach(kBadRequestUrl, bad_request, readable);
  return readable;
}

std::string FieldAtFault(const absl::Status& status) {
  const auto bad_request = Attached<google::rpc::BadRequest>(kBadRequestUrl, status);
  return bad_request && bad_request->field_violations_size() > 0 ? bad_request->field_violations(0).field() : "";
}

bool IsConnectionLost(const absl::Status& status) { return status.GetPayload(kLostUrl).has_value(); }

std::optional<absl::Duration> RetryDelay(const absl::Status& status) {
  const auto retry = Attached<google::rpc::RetryInfo>(kRetryInfoUrl, status);
  if (!retry) return std::nullopt;
  return ToDuration(retry->retry_delay());
}

}  // namespace kibitz::client
