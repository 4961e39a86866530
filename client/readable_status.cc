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

// So that FieldAtFault finds it.
void AttachFault(const google::rpc::BadRequest& bad_request, absl::Status& status) {
  const std::string bytes = bad_request.SerializeAsString();
  status.SetPayload(kBadRequestUrl, absl::Cord(absl::string_view(bytes)));
}

// gRPC's own account of a failed connection names sockets and retries; what matters is which of three things happened.
std::string DescribeConnectionFailure(const std::string& reason, const std::string& server) {
  if (absl::StrContains(reason, "DNS resolution failed")) {
    return absl::StrCat("no server at ", server, ": the host name is unknown");
  }
  if (absl::StrContains(reason, "failed to connect") || absl::StrContains(reason, "Failed to connect")) {
    return absl::StrCat("no server at ", server);
  }
  return absl::StrCat("the connection to ", server, " was lost");
}

std::string Describe(const grpc::Status& status, const google::rpc::Status& details, const std::string& server) {
  if (auto bad_request = FindDetail<google::rpc::BadRequest>(details);
      bad_request && bad_request->field_violations_size() > 0) {
    return Describe(*bad_request);
  }
  const bool said_by_server = FindDetail<google::rpc::ErrorInfo>(details).has_value();
  if (!said_by_server && status.error_code() == grpc::StatusCode::UNAVAILABLE) {
    return DescribeConnectionFailure(status.error_message(), server);
  }
  if (!said_by_server && status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED) {
    return absl::StrCat(server, " did not answer in time");
  }
  if (status.error_code() == grpc::StatusCode::UNIMPLEMENTED) {
    return absl::StrCat(server, " does not know this call: it is not a Kibitz server, or another version of it");
  }
  return status.error_message();
}

}  // namespace

absl::Status ReadableStatus(const grpc::Status& status, const std::string& server) {
  if (status.ok()) return absl::OkStatus();
  google::rpc::Status details;
  if (!details.ParseFromString(status.error_details())) details.Clear();

  std::string message = Describe(status, details, server);
  if (auto retry = FindDetail<google::rpc::RetryInfo>(details)) {
    const absl::Duration delay =
        absl::Seconds(retry->retry_delay().seconds()) + absl::Nanoseconds(retry->retry_delay().nanos());
    absl::StrAppend(&message, "; try again in ", absl::FormatDuration(delay));
  }
  // gRPC took its codes over from Abseil's list, number for number.
  absl::Status readable(static_cast<absl::StatusCode>(status.error_code()), message);
  if (auto bad_request = FindDetail<google::rpc::BadRequest>(details)) AttachFault(*bad_request, readable);
  return readable;
}

absl::Status ReadableRefusal(const v1::AnalyzeSessionResponse::Refused& refused) {
  const auto code = static_cast<absl::StatusCode>(refused.code());
  if (refused.field().empty()) return absl::Status(code, refused.description());
  google::rpc::BadRequest bad_request;
  google::rpc::BadRequest::FieldViolation& violation = *bad_request.add_field_violations();
  violation.set_field(refused.field());
  violation.set_description(refused.description());
  absl::Status readable(code, Describe(bad_request));
  AttachFault(bad_request, readable);
  return readable;
}

std::string FieldAtFault(const absl::Status& status) {
  const auto payload = status.GetPayload(kBadRequestUrl);
  google::rpc::BadRequest bad_request;
  if (!payload || !bad_request.ParseFromString(std::string(*payload)) || bad_request.field_violations().empty()) {
    return "";
  }
  return bad_request.field_violations(0).field();
}

}  // namespace kibitz::client
