// When the next update of a search may go to the client.

#ifndef KIBITZ_SERVER_ANALYSIS_UPDATE_PACER_H_
#define KIBITZ_SERVER_ANALYSIS_UPDATE_PACER_H_

#include <algorithm>
#include <chrono>
#include <optional>

#include "engine/board/move.h"

namespace kibitz::server {

// Updates go out no more often than the client wants, but a new best move waits for 50 ms at most.
class UpdatePacer {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::milliseconds kBestMoveDelay{50};

  explicit UpdatePacer(std::chrono::milliseconds min_interval) : min_interval_(min_interval) {}

  // There is a new update, which takes the place of one that waits.
  void Offer(Move best_move, Time now) {
    Time due = now;
    if (last_sent_.has_value()) {
      due = *last_sent_ + min_interval_;
      if (best_move != last_best_move_) due = std::min(due, now + kBestMoveDelay);
    }
    // The one that waited may have been due earlier.
    due_ = std::min(due_.value_or(due), due);
  }

  // When to send the update that waits. There must be one.
  Time due() const { return *due_; }

  // The update that waited was sent.
  void Sent(Move best_move, Time now) {
    last_sent_ = now;
    last_best_move_ = best_move;
    due_.reset();
  }

 private:
  const std::chrono::milliseconds min_interval_;
  std::optional<Time> last_sent_;
  Move last_best_move_;
  std::optional<Time> due_;  // of the update that waits
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_ANALYSIS_UPDATE_PACER_H_
