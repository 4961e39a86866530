#include "server/errors/errors.h"

#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "google/rpc/error_details.pb.h"

namespace kibitz::server {
namespace {

// Trailing metadata is bounded by the client (8 KiB unless it says otherwise), and the message travels twice.
constexpr std::size_t kMaxMessageSize = 1000;

constexpr char kTypeUrlPrefix[] = "type.googleapis.com/";

template <typename Detail>
std::string TypeUrl() {
  return absl::StrCat(kTypeUrlPrefix, Detail::descriptor()->full_name());
}

template <typename Detail>
void Attach(absl::Status& status, const Detail& detail) {
  // A Cord made of a string directly needs a symbol that clang and Debian's g++ spell differently.
  const std::string bytes = detail.SerializeAsString();
  status.SetPayload(TypeUrl<Detail>(), absl::Cord(absl::string_view(bytes)));
}

// The default one when there is none.
template <typename Detail>
Detail DetailOf(const absl::Status& status) {
  Detail detail;
  if (const auto payload = status.GetPayload(TypeUrl<Detail>())) detail.ParseFromString(std::string(*payload));
  return detail;
}

void AttachRetry(absl::Status& status, absl::Duration retry_after) {
  google::rpc::RetryInfo retry;
  retry.mutable_retry_delay()->set_seconds(absl::IDivDuration(retry_after, absl::Seconds(1), &retry_after));
  retry.mutable_retry_delay()->set_nanos(static_cast<int>(absl::ToInt64Nanoseconds(retry_after)));
  Attach(status, retry);
}

}  // namespace

absl::Status Failure(absl::StatusCode code, absl::string_view reason, absl::string_view message) {
  absl::Status status(code, Printable(message, kMaxMessageSize));
  google::rpc::ErrorInfo info;
  info.set_domain(kErrorDomain);
  info.set_reason(std::string(reason));
  Attach(status, info);
  return status;
}

absl::Status InvalidField(absl::string_view field, absl::string_view reason, absl::string_view message) {
  absl::Status status = Failure(absl::StatusCode::kInvalidArgument, reason, absl::StrCat(field, ": ", message));
  google::rpc::BadRequest bad_request;
  auto* violation = bad_request.add_field_violations();
  violation->set_field(std::string(field));
  violation->set_description(Printable(message, kMaxMessageSize));
  Attach(status, bad_request);
  return status;
}

absl::Status Exhausted(absl::string_view reason, absl::string_view message, absl::Duration retry_after) {
  absl::Status status = Failure(absl::StatusCode::kResourceExhausted, reason, message);
  AttachRetry(status, retry_after);
  return status;
}

absl::Status Unavailable(absl::string_view reason, absl::string_view message, absl::Duration retry_after) {
  absl::Status status = Failure(absl::StatusCode::kUnavailable, reason, message);
  AttachRetry(status, retry_after);
  return status;
}

absl::Status QuotaExceeded(absl::string_view reason, absl::string_view subject, absl::string_view message,
                           absl::Duration retry_after) {
  absl::Status status = Exhausted(reason, message, retry_after);
  google::rpc::QuotaFailure quota;
  auto* violation = quota.add_violations();
  violation->set_subject(std::string(subject));
  violation->set_description(Printable(message, kMaxMessageSize));
  Attach(status, quota);
  return status;
}

std::string ReasonOf(const absl::Status& status) { return DetailOf<google::rpc::ErrorInfo>(status).reason(); }

std::optional<absl::Duration> RetryAfter(const absl::Status& status) {
  const auto retry = DetailOf<google::rpc::RetryInfo>(status);
  if (!retry.has_retry_delay()) return std::nullopt;
  return absl::Seconds(retry.retry_delay().seconds()) + absl::Nanoseconds(retry.retry_delay().nanos());
}

Fault FaultOf(const absl::Status& status) {
  const auto bad_request = DetailOf<google::rpc::BadRequest>(status);
  if (bad_request.field_violations().empty()) return {"", std::string(status.message())};
  return {bad_request.field_violations(0).field(), bad_request.field_violations(0).description()};
}

bool IsRefusal(absl::StatusCode code) {
  switch (code) {
    case absl::StatusCode::kResourceExhausted:
    case absl::StatusCode::kUnauthenticated:
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kDeadlineExceeded:
    case absl::StatusCode::kUnavailable:
      return true;
    default:
      return false;
  }
}

std::string Printable(absl::string_view text, std::size_t max_size) {
  constexpr std::string_view kEllipsis = "...";
  std::string printable;
  for (const char c : text) {
    const std::string piece = absl::ascii_isprint(c)
                                  ? std::string(1, c)
                                  : absl::StrCat("\\x", absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad2));
    if (printable.size() + piece.size() > max_size) {
      printable.resize(max_size - kEllipsis.size());
      return printable.append(kEllipsis);
    }
    printable += piece;
  }
  return printable;
}

}  // namespace kibitz::server
