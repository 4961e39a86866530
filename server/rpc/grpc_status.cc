#include "server/rpc/grpc_status.h"

#include <string>

#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"
#include "google/rpc/status.pb.h"

namespace kibitz::server {

grpc::Status ToGrpcStatus(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  google::rpc::Status details;
  details.set_code(static_cast<int>(status.code()));
  details.set_message(std::string(status.message()));
  status.ForEachPayload([&](absl::string_view type_url, const absl::Cord& payload) {
    auto* detail = details.add_details();
    detail->set_type_url(std::string(type_url));
    detail->set_value(std::string(payload));
  });
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()), std::string(status.message()),
                      details.SerializeAsString());
}

}  // namespace kibitz::server
