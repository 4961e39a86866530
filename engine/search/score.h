// The value of a position, always from the point of view of the side to move.

#ifndef KIBITZ_ENGINE_SEARCH_SCORE_H_
#define KIBITZ_ENGINE_SEARCH_SCORE_H_

#include <cstdint>

namespace kibitz {

// What the search computes with: the evaluation's units, with mates at the ends of the scale.
using Value = int;

// The deepest that a line can go.
inline constexpr int kMaxPly = 246;

inline constexpr Value kDraw = 0;
inline constexpr Value kMateValue = 32000;
inline constexpr Value kInfinite = 32001;
inline constexpr Value kNoValue = 32002;
// Values beyond this are mates.
inline constexpr Value kMateThreshold = kMateValue - kMaxPly;
// Wins that a tablebase has promised: below all mates, above every evaluation.
inline constexpr Value kTablebaseWin = kMateThreshold - 1;
inline constexpr Value kTablebaseThreshold = kTablebaseWin - kMaxPly;
// No evaluation is larger.
inline constexpr Value kMaxEvaluation = kTablebaseThreshold - 1;

constexpr Value MatedIn(int plies) { return -kMateValue + plies; }
constexpr Value MateIn(int plies) { return kMateValue - plies; }

// The search counts the distance to mate from its root, the table from each position: a position is reached by many
// paths. `ply` is the position's distance from the root.
constexpr Value ToTable(Value value, int ply) {
  return value > kTablebaseThreshold ? value + ply : value < -kTablebaseThreshold ? value - ply : value;
}
constexpr Value FromTable(Value value, int ply) {
  return value > kTablebaseThreshold ? value - ply : value < -kTablebaseThreshold ? value + ply : value;
}

// What the search reports: centipawns or a mate, never both.
struct Score {
  enum class Kind : std::uint8_t { kCentipawns, kMate };
  enum class Bound : std::uint8_t { kExact, kLower, kUpper };

  static Score FromValue(Value value, Bound bound = Bound::kExact);
  // The value that would be reported so, or close to it.
  static Value ToValue(const Score& score);
  // The evaluation's units in centipawns, with their fractions.
  static double ToCentipawns(double units);

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

  static Wdl FromScore(const Score& score);
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_SCORE_H_
