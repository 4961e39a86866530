// Measure: a log line for each call that is over.

#ifndef KIBITZ_SERVER_RPC_CALL_LOG_H_
#define KIBITZ_SERVER_RPC_CALL_LOG_H_

#include <atomic>
#include <cstdint>

#include "server/errors/log_limit.h"
#include "server/rpc/call.h"
#include "server/rpc/call_chain.h"

namespace kibitz::server {

// At level debug for calls that went well, at info for the others; of these at most some a second, because callers can
// make as many as they like.
class CallLog final : public CallMeter {
 public:
  void Record(const Call& call, const CallOutcome& outcome) override;

 private:
  static constexpr int kLinesPerSecond = 50;
  LogLimit limit_{kLinesPerSecond};
  std::atomic<std::int64_t> left_out_{0};
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_CALL_LOG_H_
