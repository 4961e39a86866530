// Playing below full strength.

#ifndef KIBITZ_ENGINE_STRENGTH_H_
#define KIBITZ_ENGINE_STRENGTH_H_

#include <cstdint>

namespace kibitz {

// What holds a player back: how much it looks at, and by how much it may misjudge what it sees, in the units
// of the evaluation. So it errs as people do: it overlooks what lies deeper and believes in wrong plans, but takes what
// is offered and mates when it sees a mate.
struct Handicap {
  std::int64_t nodes;
  int noise;
};

// The handicap of a rating. Ratings outside kMinElo to kMaxElo are brought inside; a higher rating always has
// more nodes and no more noise.
Handicap HandicapOf(int elo);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_STRENGTH_H_
