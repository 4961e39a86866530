// Errors on their way over the wire.

#ifndef KIBITZ_SERVER_RPC_GRPC_STATUS_H_
#define KIBITZ_SERVER_RPC_GRPC_STATUS_H_

#include "absl/status/status.h"
#include "grpcpp/support/status.h"

namespace kibitz::server {

// The status for the wire: its payloads become the details of a google.rpc.Status in the trailing metadata.
grpc::Status ToGrpcStatus(const absl::Status& status);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_GRPC_STATUS_H_
