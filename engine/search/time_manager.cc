#include "engine/search/time_manager.h"

#include <algorithm>

namespace kibitz {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kMinTime{1};

TimeBudget PlanClock(const Limits& limits, int us) {
  const Limits::Clock& clock = *limits.clock;
  const milliseconds usable = std::max(kMinTime, clock.time[us] - limits.move_overhead);
  const int moves = clock.moves_to_go > 0 ? std::min(clock.moves_to_go, 40) : 24;
  // With one move to go all of the time may be used, but never all of a game's.
  const milliseconds max_time = clock.moves_to_go == 1 ? usable * 9 / 10 : usable * 3 / 5;
  const milliseconds soft = std::min(max_time, usable / moves + clock.increment[us] * 3 / 4);
  const milliseconds hard = std::min(max_time, soft * 4);
  return {std::max(kMinTime, soft), std::max(kMinTime, hard)};
}

}  // namespace

std::optional<TimeBudget> PlanTime(const Limits& limits, Color side_to_move) {
  if (!limits.clock && !limits.movetime) return std::nullopt;
  using std::chrono::nanoseconds;
  const nanoseconds fixed = limits.movetime ? nanoseconds(std::max(kMinTime, *limits.movetime)) : nanoseconds::max();
  if (!limits.clock) return TimeBudget{fixed, fixed};
  const TimeBudget budget = PlanClock(limits, Index(side_to_move));
  return TimeBudget{std::min(budget.soft, fixed), std::min(budget.hard, fixed)};
}

int SoftTimeScale(int stable_iterations, int drop, int best_move_share) {
  const int stability = 1250 - 90 * std::min(stable_iterations, 7);
  const int falling = 1000 + std::clamp(drop, -10, 60) * 8;
  const int effort = 1550 - best_move_share * 9 / 10;
  return static_cast<int>(std::int64_t{stability} * falling / 1000 * effort / 1000);
}

}  // namespace kibitz
