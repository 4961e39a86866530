// The only answer to the question whether a search must end now.

#ifndef KIBITZ_ENGINE_SEARCH_STOPPER_H_
#define KIBITZ_ENGINE_SEARCH_STOPPER_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "engine/search/limits.h"

namespace kibitz {

enum class StopReason : std::uint8_t { kDepth, kNodes, kTime, kMate, kStopped, kNoLegalMoves };

// Counts nodes and compares them, the clock and the stop flag with the limits. Cheap enough to ask at every node: clock
// and flag are looked at once in 1024 nodes.
class Stopper {
 public:
  Stopper(const Limits& limits, const std::atomic<bool>& stop);

  // Counts one node. True once the search has to end.
  bool CountNode() {
    ++nodes_;
    if (reason_) return true;
    if (nodes_ >= node_limit_) return End(StopReason::kNodes);
    return nodes_ % kCheckInterval == 0 && Check();
  }

  bool stopped() const { return reason_.has_value(); }
  // Meaningful once stopped.
  StopReason reason() const { return *reason_; }
  std::int64_t nodes() const { return nodes_; }
  std::chrono::nanoseconds Elapsed() const { return Clock::now() - start_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::int64_t kCheckInterval = 1024;

  bool Check();
  bool End(StopReason reason) {
    reason_ = reason;
    return true;
  }

  const std::atomic<bool>& stop_;
  const Clock::time_point start_;
  std::optional<Clock::time_point> end_;
  std::int64_t node_limit_;
  std::int64_t nodes_ = 0;
  std::optional<StopReason> reason_;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_STOPPER_H_
