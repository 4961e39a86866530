// Admit: bounds on what callers may hold open, also those that do not care for HTTP/2's own.

#ifndef KIBITZ_SERVER_RPC_CALL_BOUNDS_H_
#define KIBITZ_SERVER_RPC_CALL_BOUNDS_H_

#include <atomic>
#include <cstddef>

#include "absl/status/status.h"
#include "server/rpc/call.h"
#include "server/rpc/call_chain.h"

namespace kibitz::server {

// gRPC tells its peers of such bounds by SETTINGS, and enforces them only once they have acknowledged: who never does
// is not bound.
class CallBounds final : public CallStep {
 public:
  struct Bounds {
    int max_calls = 16'384;
    int max_calls_per_connection = 1024;
    std::size_t max_metadata_bytes = 8 << 10;
  };

  explicit CallBounds(const Bounds& bounds) : bounds_(bounds) {}

  absl::Status Enter(Call& call) override;
  void Leave(const Call& call) override;

 private:
  const Bounds bounds_;
  std::atomic<int> open_calls_{0};
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_CALL_BOUNDS_H_
