// What a worker has learnt about its evaluation: how far it was off in positions that have something in common.

#ifndef KIBITZ_ENGINE_SEARCH_CORRECTIONS_H_
#define KIBITZ_ENGINE_SEARCH_CORRECTIONS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace kibitz {

// Averages of the error, the latest counting most, by a key of what the positions share. Keys may collide.
template <std::size_t kSize>
class Corrections {
 public:
  int At(std::uint64_t key) const { return averages_[key % kSize] / kScale; }

  // A deep search's verdict counts more.
  void Learn(std::uint64_t key, int error, int depth) {
    std::int16_t& average = averages_[key % kSize];
    const int weight = std::min(depth + 1, 16);
    const int target = std::clamp(error, -kMaxError, kMaxError) * kScale;
    average = static_cast<std::int16_t>((average * (kScale - weight) + target * weight) / kScale);
  }

 private:
  static constexpr int kScale = 256;
  static constexpr int kMaxError = 127;

  std::array<std::int16_t, kSize> averages_{};
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_CORRECTIONS_H_
