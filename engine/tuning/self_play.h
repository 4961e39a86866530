// Games of the engine against itself, as fast as they can be had, for whoever learns from them.

#ifndef KIBITZ_ENGINE_TUNING_SELF_PLAY_H_
#define KIBITZ_ENGINE_TUNING_SELF_PLAY_H_

#include <cstdint>
#include <vector>

#include "engine/tuning/record.h"
#include "engine/tuning/start.h"

namespace kibitz::tuning {

struct SelfPlayOptions {
  std::int64_t nodes = 1500;  // for each move of a game, give or take a half
  int siblings = 4;           // random moves that are tried beside each move
  std::int64_t sibling_nodes = 300;
  int max_plies = 300;                 // then it is a draw
  const PolyglotBook* book = nullptr;  // none
};

struct PlayedGame {
  StartKind start = StartKind::kRandom;
  int plies = 0;
  int half_points = 1;  // of White's: 0, 1 or 2
  std::vector<Record> records;
};

// Plays one game, the same for the same seed, and gives the quiet positions of it and beside it: nobody in check, no
// capture or promotion best, nothing decided. A game that is decided by its values for some moves is not played to the
// end. Only its own positions have its result: a random move beside it is another game.
PlayedGame PlayGame(std::uint64_t seed, const SelfPlayOptions& options);

}  // namespace kibitz::tuning

#endif  // KIBITZ_ENGINE_TUNING_SELF_PLAY_H_
