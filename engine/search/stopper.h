// The only answer to the question whether a search must end now.

#ifndef KIBITZ_ENGINE_SEARCH_STOPPER_H_
#define KIBITZ_ENGINE_SEARCH_STOPPER_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "engine/board/types.h"
#include "engine/search/limits.h"
#include "engine/search/stop_reason.h"
#include "engine/search/time_manager.h"

namespace kibitz {

// One for all workers of a search. Anybody may stop it, from any thread; the first reason given stays.
class Stopper {
 public:
  using Clock = std::chrono::steady_clock;

  Stopper(const Limits& limits, Color side_to_move);

  void Stop(StopReason reason) {
    StopReason none = StopReason::kNone;
    reason_.compare_exchange_strong(none, reason, std::memory_order_relaxed);
  }
  bool stopped() const { return reason() != StopReason::kNone; }
  StopReason reason() const { return reason_.load(std::memory_order_relaxed); }

  // The move pondered on was played: the clock runs from now.
  void PonderHit() { clock_start_.store(Elapsed().count(), std::memory_order_relaxed); }

  // Asked by the main worker at its checkpoints, with its own nodes, and after each iteration.
  void CheckLimits(std::int64_t main_nodes);
  void CheckSoftTime(int scale_per_mille, bool only_move);

  // What the helpers have searched, reported at their checkpoints.
  void AddHelperWork(std::int64_t nodes, std::int64_t tb_hits) {
    helper_nodes_.fetch_add(nodes, std::memory_order_relaxed);
    if (tb_hits != 0) helper_tb_hits_.fetch_add(tb_hits, std::memory_order_relaxed);
  }
  std::int64_t helper_nodes() const { return helper_nodes_.load(std::memory_order_relaxed); }
  std::int64_t helper_tb_hits() const { return helper_tb_hits_.load(std::memory_order_relaxed); }

  std::chrono::nanoseconds Elapsed() const { return Clock::now() - start_; }
  // When the time is up; time_point::max() while no clock runs.
  Clock::time_point TimeUp() const;
  const Limits& limits() const { return limits_; }

 private:
  static constexpr std::int64_t kNotRunning = -1;

  // When the clock shows this; time_point::max() while it does not run.
  Clock::time_point WhenClockShows(std::chrono::nanoseconds time) const;

  const Limits limits_;
  const std::optional<TimeBudget> budget_;
  const Clock::time_point start_ = Clock::now();
  std::atomic<std::int64_t> clock_start_;  // nanoseconds after start_
  std::atomic<std::int64_t> helper_nodes_{0};
  std::atomic<std::int64_t> helper_tb_hits_{0};
  std::atomic<StopReason> reason_{StopReason::kNone};
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_STOPPER_H_
