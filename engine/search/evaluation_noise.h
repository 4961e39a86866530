// Misjudgement on purpose, for play below full strength.

#ifndef KIBITZ_ENGINE_SEARCH_EVALUATION_NOISE_H_
#define KIBITZ_ENGINE_SEARCH_EVALUATION_NOISE_H_

#include <cstdint>

#include "engine/board/zobrist.h"
#include "engine/search/score.h"

namespace kibitz {

// An error for every position: always the same for the same seed, small ones more likely than large ones, and none
// larger than the amplitude. Made by integers, so that it is the same on every machine.
class EvaluationNoise {
 public:
  EvaluationNoise() = default;
  EvaluationNoise(int amplitude, std::uint64_t seed) : amplitude_(amplitude), seed_(seed) {}

  Value At(Key key) const {
    if (amplitude_ == 0) return 0;
    std::uint64_t mixed = (key ^ seed_) * 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 32) * 0xbf58476d1ce4e5b9;
    // The sum of two dice, from -65535 to 65535.
    const auto dice = static_cast<std::int64_t>((mixed >> 48) + (mixed >> 32 & 0xffff)) - 0xffff;
    return static_cast<Value>(dice * amplitude_ / 0xffff);
  }

 private:
  int amplitude_ = 0;
  std::uint64_t seed_ = 0;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_EVALUATION_NOISE_H_
