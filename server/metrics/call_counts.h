// Measure: counts calls by method and code, those that are open, and how long they took.

#ifndef KIBITZ_SERVER_METRICS_CALL_COUNTS_H_
#define KIBITZ_SERVER_METRICS_CALL_COUNTS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "server/measure/durations.h"
#include "server/measure/ledger.h"
#include "server/rpc/call.h"
#include "server/rpc/call_chain.h"
#include "server/rpc/method.h"

namespace kibitz::server {

// Every call of every method comes by here: it takes no lock unless a call was refused.
class CallCounts final : public CallMeter {
 public:
  // Whatever callers make up is one method of this name.
  static constexpr char kUnknownMethod[] = "unknown";

  // What is refused goes to the ledger, under the caller's tenant.
  CallCounts(const MethodTable& methods, Ledger& ledger);

  void Record(const Call& call, const CallOutcome& outcome) override;

  // The last step of the chain: counts calls that were let in as open. It must not outlive this.
  std::unique_ptr<CallStep> MakeStep();

  struct OfMethod {
    std::string method;
    int open = 0;
    std::map<absl::StatusCode, std::int64_t> by_code;  // those that there were
    Durations::Counts durations;
  };
  // By the method's name.
  std::vector<OfMethod> counts() const;

 private:
  // The codes of gRPC, from OK to UNAUTHENTICATED.
  static constexpr std::size_t kCodes = 17;

  class OpenCalls;
  struct Method {
    std::atomic<int> open{0};
    std::array<std::atomic<std::int64_t>, kCodes> by_code{};
    Durations durations;
  };

  Method& Find(absl::string_view name);

  Ledger& ledger_;
  // The keys never change after the start, so that nobody has to wait to look.
  std::map<std::string, Method> methods_;
  absl::flat_hash_map<std::string, Method*> by_name_;
  Method& unknown_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_METRICS_CALL_COUNTS_H_
