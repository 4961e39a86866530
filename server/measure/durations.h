// How long something took, time after time.

#ifndef KIBITZ_SERVER_MEASURE_DURATIONS_H_
#define KIBITZ_SERVER_MEASURE_DURATIONS_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace kibitz::server {

// A histogram: a few nanoseconds for each, no lock and no memory. All methods may be called from any thread.
class Durations {
 public:
  // The upper bounds, the same for all, so that they can be compared and added: from a call that only asks to a search
  // of an hour. One more bucket holds what takes longer.
  static constexpr std::array<std::chrono::microseconds, 20> kBounds = [] {
    using std::chrono::microseconds;
    using std::chrono::milliseconds;
    using std::chrono::seconds;
    return std::array<microseconds, 20>{microseconds(100),  microseconds(250),  microseconds(500), milliseconds(1),
                                        microseconds(2500), milliseconds(5),    milliseconds(10),  milliseconds(25),
                                        milliseconds(50),   milliseconds(100),  milliseconds(250), milliseconds(500),
                                        seconds(1),         milliseconds(2500), seconds(5),        seconds(10),
                                        seconds(30),        seconds(60),        seconds(300),      seconds(3600)};
  }();

  struct Counts {
    std::array<std::uint64_t, kBounds.size() + 1> buckets{};
    std::chrono::nanoseconds sum{0};

    std::uint64_t count() const {
      std::uint64_t count = 0;
      for (const std::uint64_t bucket : buckets) count += bucket;
      return count;
    }
  };

  void Add(std::chrono::nanoseconds duration) {
    const auto bucket = std::lower_bound(kBounds.begin(), kBounds.end(), duration) - kBounds.begin();
    buckets_[static_cast<std::size_t>(bucket)].fetch_add(1, std::memory_order_relaxed);
    sum_.fetch_add(duration.count(), std::memory_order_relaxed);
  }

  // What is added meanwhile may be in it or not.
  Counts counts() const {
    Counts counts;
    for (std::size_t i = 0; i < buckets_.size(); ++i) counts.buckets[i] = buckets_[i].load(std::memory_order_relaxed);
    counts.sum = std::chrono::nanoseconds(sum_.load(std::memory_order_relaxed));
    return counts;
  }

 private:
  std::array<std::atomic<std::uint64_t>, kBounds.size() + 1> buckets_{};
  std::atomic<std::chrono::nanoseconds::rep> sum_{0};
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_MEASURE_DURATIONS_H_
