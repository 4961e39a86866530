#include "engine/search/stopper.h"

namespace kibitz {

Stopper::Stopper(const Limits& limits, Color side_to_move)
    : limits_(limits), budget_(PlanTime(limits, side_to_move)), clock_start_(limits.ponder ? kNotRunning : 0) {}

bool Stopper::ClockShows(std::chrono::nanoseconds time) const {
  const std::int64_t start = clock_start_.load(std::memory_order_relaxed);
  return start != kNotRunning && Elapsed().count() - start >= time.count();
}

void Stopper::CheckLimits(std::int64_t main_nodes) {
  if (limits_.nodes && main_nodes + helper_nodes() >= *limits_.nodes) Stop(StopReason::kNodes);
  if (budget_ && ClockShows(budget_->hard)) Stop(StopReason::kTime);
}

void Stopper::CheckSoftTime(int scale_per_mille, bool only_move) {
  // A fixed time per move is used up; with a clock a forced move needs no thought.
  if (!budget_ || !limits_.clock) return;
  const std::chrono::nanoseconds soft = budget_->soft * scale_per_mille / 1000;
  if (ClockShows(only_move ? soft / 20 : soft)) Stop(StopReason::kTime);
}

}  // namespace kibitz
