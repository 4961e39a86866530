#include "engine/search/stopper.h"

namespace kibitz {

Stopper::Stopper(const Limits& limits, Color side_to_move)
    : limits_(limits), budget_(PlanTime(limits, side_to_move)), clock_start_(limits.ponder ? kNotRunning : 0) {}

Stopper::Clock::time_point Stopper::WhenClockShows(std::chrono::nanoseconds time) const {
  const std::int64_t started = clock_start_.load(std::memory_order_relaxed);
  return started == kNotRunning ? Clock::time_point::max() : start_ + std::chrono::nanoseconds(started) + time;
}

Stopper::Clock::time_point Stopper::TimeUp() const {
  return budget_ ? WhenClockShows(budget_->hard) : Clock::time_point::max();
}

void Stopper::CheckLimits(std::int64_t main_nodes) {
  if (limits_.nodes && main_nodes + helper_nodes() >= *limits_.nodes) Stop(StopReason::kNodes);
  if (Clock::now() >= TimeUp()) Stop(StopReason::kTime);
}

void Stopper::CheckSoftTime(int scale_per_mille, bool only_move) {
  // A fixed time per move is used up; with a clock a forced move needs no thought.
  if (!budget_ || !limits_.clock) return;
  const std::chrono::nanoseconds soft = budget_->soft * scale_per_mille / 1000;
  if (Clock::now() >= WhenClockShows(only_move ? soft / 20 : soft)) Stop(StopReason::kTime);
}

}  // namespace kibitz
