// What concerns every call, whatever it asks: identify -> admit -> handle, and measure when it is over.

#ifndef KIBITZ_SERVER_RPC_CALL_CHAIN_H_
#define KIBITZ_SERVER_RPC_CALL_CHAIN_H_

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "server/rpc/call.h"

namespace kibitz::server {

// A step that a call passes before its handler sees it: it finds out who calls, or whether there is room.
class CallStep {
 public:
  virtual ~CallStep() = default;
  // An error refuses the call, and is what the client is told. Must not block.
  virtual absl::Status Enter(Call& call) = 0;
  // The call is over. For those that were let in.
  virtual void Leave(const Call& /*call*/) {}
};

// How a call ended.
struct CallOutcome {
  absl::StatusCode code = absl::StatusCode::kOk;
  // For programs: "QUEUE_FULL". Empty when all went well or nothing is known.
  std::string reason;
  // From its arrival until its last resource was given back.
  std::chrono::nanoseconds duration{0};
};

// Hears of every call that is over, also of those that were refused.
class CallMeter {
 public:
  virtual ~CallMeter() = default;
  virtual void Record(const Call& call, const CallOutcome& outcome) = 0;
};

// Put together once, before the server starts.
class CallChain {
 public:
  // Steps are entered in the order in which they were added.
  void Add(std::unique_ptr<CallStep> step) { steps_.push_back(std::move(step)); }
  void Add(std::unique_ptr<CallMeter> meter) { meters_.push_back(std::move(meter)); }

  // Takes a call in. An error refuses it; the steps before the one that refused have been left again.
  absl::Status Enter(Call& call) const {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (absl::Status entered = steps_[i]->Enter(call); !entered.ok()) {
        LeaveFirst(i, call);
        return entered;
      }
    }
    return absl::OkStatus();
  }
  // A call that was taken in is over.
  void Leave(const Call& call) const { LeaveFirst(steps_.size(), call); }
  void Record(const Call& call, const CallOutcome& outcome) const {
    for (const auto& meter : meters_) meter->Record(call, outcome);
  }

 private:
  void LeaveFirst(std::size_t count, const Call& call) const {
    while (count > 0) steps_[--count]->Leave(call);
  }

  std::vector<std::unique_ptr<CallStep>> steps_;
  std::vector<std::unique_ptr<CallMeter>> meters_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_CALL_CHAIN_H_
