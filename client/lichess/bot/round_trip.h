// How long the way to Lichess and back takes, learnt from requests that had an answer.

#ifndef KIBITZ_CLIENT_LICHESS_BOT_ROUND_TRIP_H_
#define KIBITZ_CLIENT_LICHESS_BOT_ROUND_TRIP_H_

#include <algorithm>
#include <mutex>

#include "absl/time/time.h"

namespace kibitz::client::lichess {

// A smoothed mean and deviation, as TCP has them for its timeouts. Thread-safe.
class RoundTrip {
 public:
  void Add(absl::Duration sample) {
    const std::lock_guard lock(mutex_);
    if (mean_ == absl::ZeroDuration()) {
      mean_ = sample;
      deviation_ = sample / 2;
      return;
    }
    deviation_ += (absl::AbsDuration(sample - mean_) - deviation_) / 4;
    mean_ += (sample - mean_) / 8;
  }

  absl::Duration mean() const {
    const std::lock_guard lock(mutex_);
    return mean_;
  }
  // What a move should be expected to lose on its way: seldom more.
  absl::Duration Overhead() const {
    const std::lock_guard lock(mutex_);
    return std::min(mean_ + 2 * deviation_, kMost);
  }

 private:
  static constexpr absl::Duration kMost = absl::Seconds(1);

  mutable std::mutex mutex_;
  absl::Duration mean_;
  absl::Duration deviation_;
};

}  // namespace kibitz::client::lichess

#endif  // KIBITZ_CLIENT_LICHESS_BOT_ROUND_TRIP_H_
