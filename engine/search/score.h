// The value of a position, always from the point of view of the side to move.

#ifndef KIBITZ_ENGINE_SEARCH_SCORE_H_
#define KIBITZ_ENGINE_SEARCH_SCORE_H_

#include <cstdint>

namespace kibitz {

// What the search computes with: centipawns, with mates at the ends of the scale.
using Value = int;

inline constexpr Value kDraw = 0;
inline constexpr Value kMateValue = 32000;
inline constexpr Value kInfinite = 32001;
// Values beyond this are mates.
inline constexpr Value kMateThreshold = kMateValue - 512;

constexpr Value MatedIn(int plies) { return -kMateValue + plies; }
constexpr Value MateIn(int plies) { return kMateValue - plies; }

// What the search reports: centipawns or a mate, never both.
struct Score {
  enum class Kind : std::uint8_t { kCentipawns, kMate };
  enum class Bound : std::uint8_t { kExact, kLower, kUpper };

  static constexpr Score FromValue(Value value, Bound bound = Bound::kExact) {
    if (value > kMateThreshold) return {Kind::kMate, (kMateValue - value + 1) / 2, bound};
    if (value < -kMateThreshold) return {Kind::kMate, -(kMateValue + value) / 2, bound};
    return {Kind::kCentipawns, value, bound};
  }

  Kind kind = Kind::kCentipawns;
  // Centipawns, or moves to mate: negative when the side to move is being mated, 0 when it is mated.
  int amount = 0;
  Bound bound = Bound::kExact;
};

// The chances of a result for the side to move, in per mille.
struct Wdl {
  int win = 0;
  int draw = 1000;
  int loss = 0;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_SCORE_H_
