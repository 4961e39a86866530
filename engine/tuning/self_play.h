// Games of the engine against itself, as fast as they can be had, for whoever learns from them.

#ifndef KIBITZ_ENGINE_TUNING_SELF_PLAY_H_
#define KIBITZ_ENGINE_TUNING_SELF_PLAY_H_

#include <cstdint>
#include <vector>

#include "engine/tuning/sample.h"

namespace kibitz::tuning {

struct SelfPlayOptions {
  std::int64_t nodes = 5000;  // for each move
  int random_plies = 9;       // that each game begins with, one more or less by turns
  int max_plies = 300;        // then it is a draw
};

// Plays one game, the same for the same seed, and gives its quiet positions: nobody in check, no capture or promotion
// best. A game that is decided by its values for some moves is not played to the end.
std::vector<Sample> PlayGame(std::uint64_t seed, const SelfPlayOptions& options);

}  // namespace kibitz::tuning

#endif  // KIBITZ_ENGINE_TUNING_SELF_PLAY_H_
