// How fast a count grows.

#ifndef KIBITZ_SERVER_MEASURE_RATE_H_
#define KIBITZ_SERVER_MEASURE_RATE_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>

namespace kibitz::server {

// Looks back over the last few samples, so that a count that comes in lumps still gives a steady figure. Its owner
// guards it.
class Rate {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // To be called about once a second with the count so far.
  void Sample(std::int64_t count, Time now) {
    samples_.push_back({count, now});
    if (samples_.size() > kSamples) samples_.pop_front();
  }

  // 0 before the second sample.
  double per_second() const {
    if (samples_.size() < 2) return 0;
    const double seconds = std::chrono::duration<double>(samples_.back().time - samples_.front().time).count();
    return seconds <= 0 ? 0 : static_cast<double>(samples_.back().count - samples_.front().count) / seconds;
  }

 private:
  static constexpr std::size_t kSamples = 4;
  struct Sampled {
    std::int64_t count;
    Time time;
  };
  std::deque<Sampled> samples_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_MEASURE_RATE_H_
