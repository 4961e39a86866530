// What a status says beyond its code, for tests.

#ifndef KIBITZ_TESTS_SERVER_ERROR_DETAILS_H_
#define KIBITZ_TESTS_SERVER_ERROR_DETAILS_H_

#include <optional>
#include <string>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "grpcpp/grpcpp.h"

namespace kibitz {

struct ErrorDetails {
  std::string domain;
  std::string reason;
  std::string field;
  std::string description;
  std::optional<double> retry_seconds;
  std::string quota_subject;
};

// Empty strings for what is missing.
inline ErrorDetails DetailsOf(const grpc::Status& status) {
  ErrorDetails details;
  google::rpc::Status rich;
  if (!rich.ParseFromString(status.error_details())) return details;
  for (const auto& detail : rich.details()) {
    google::rpc::ErrorInfo info;
    google::rpc::BadRequest bad_request;
    google::rpc::RetryInfo retry;
    google::rpc::QuotaFailure quota;
    if (detail.UnpackTo(&info)) {
      details.domain = info.domain();
      details.reason = info.reason();
    } else if (detail.UnpackTo(&bad_request) && bad_request.field_violations_size() == 1) {
      details.field = bad_request.field_violations(0).field();
      details.description = bad_request.field_violations(0).description();
    } else if (detail.UnpackTo(&retry)) {
      details.retry_seconds = static_cast<double>(retry.retry_delay().seconds()) + retry.retry_delay().nanos() / 1e9;
    } else if (detail.UnpackTo(&quota) && quota.violations_size() == 1) {
      details.quota_subject = quota.violations(0).subject();
    }
  }
  return details;
}

}  // namespace kibitz

#endif  // KIBITZ_TESTS_SERVER_ERROR_DETAILS_H_
