// Measure: a log line for each call that is over.

#ifndef KIBITZ_SERVER_RPC_CALL_LOG_H_
#define KIBITZ_SERVER_RPC_CALL_LOG_H_

#include <atomic>
#include <cstdint>

#include "server/errors/log_limit.h"
#include "server/log/log_fields.h"
#include "server/rpc/call.h"
#include "server/rpc/call_chain.h"

namespace kibitz::server {

// At level info calls that failed, and those for which something was searched or counted; of the others, which may be
// thousands a second, one in so many, and the rest at level debug. At most some lines a second at info, because callers
// can make as many as they like.
class CallLog final : public CallMeter {
 public:
  // Of calls that went well and had nothing to search, one in `one_in` is logged. 1: all.
  explicit CallLog(int one_in) : one_in_(one_in) {}

  void Record(const Call& call, const CallOutcome& outcome) override;

  // What a line holds.
  static LogFields FieldsOf(const Call& call, const CallOutcome& outcome);

 private:
  static constexpr int kLinesPerSecond = 50;

  const int one_in_;
  LogLimit limit_{kLinesPerSecond};
  std::atomic<std::uint64_t> cheap_calls_{0};
  std::atomic<std::int64_t> left_out_{0};
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_CALL_LOG_H_
