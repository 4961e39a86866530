#include "engine/search/stopper.h"

#include <limits>

namespace kibitz {

Stopper::Stopper(const Limits& limits, const std::atomic<bool>& stop)
    : stop_(stop), start_(Clock::now()), node_limit_(limits.nodes.value_or(std::numeric_limits<std::int64_t>::max())) {
  if (limits.movetime) end_ = start_ + *limits.movetime;
}

bool Stopper::Check() {
  if (stop_.load(std::memory_order_relaxed)) return End(StopReason::kStopped);
  if (end_ && Clock::now() >= *end_) return End(StopReason::kTime);
  return false;
}

}  // namespace kibitz
