// Identify: gives every call a name that logs, errors and the client share.

#ifndef KIBITZ_SERVER_RPC_REQUEST_IDS_H_
#define KIBITZ_SERVER_RPC_REQUEST_IDS_H_

#include <atomic>
#include <cstdint>

#include "absl/status/status.h"
#include "server/rpc/call.h"
#include "server/rpc/call_chain.h"

namespace kibitz::server {

// The client's own x-request-id if it is a reasonable one, otherwise one of ours.
class RequestIds final : public CallStep {
 public:
  RequestIds();
  absl::Status Enter(Call& call) override;

 private:
  const std::uint32_t server_;  // tells servers, and runs of one, apart
  std::atomic<std::uint32_t> calls_{0};
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_REQUEST_IDS_H_
