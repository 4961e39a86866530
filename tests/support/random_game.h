// Random games that can be repeated: the same seed gives the same moves on every machine.

#ifndef KIBITZ_TESTS_SUPPORT_RANDOM_GAME_H_
#define KIBITZ_TESTS_SUPPORT_RANDOM_GAME_H_

#include <cstdint>
#include <random>
#include <string>

#include "engine/board/move.h"
#include "engine/board/position.h"

namespace kibitz {

class RandomGame {
 public:
  explicit RandomGame(std::uint64_t seed) : engine_(seed) {}

  // A number from 0 to `bound` - 1. (The distributions of the standard library differ between its implementations.)
  int Below(int bound) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(bound)); }

  // One of the 960 starting positions, its castling rights in Shredder notation.
  std::string Chess960Start();

  // A legal move, with captures, pawn moves, promotions, en passant and castling preferred over the many other moves,
  // or no move if there is none.
  Move PickMove(const Position& position);

 private:
  std::mt19937_64 engine_;
};

}  // namespace kibitz

#endif  // KIBITZ_TESTS_SUPPORT_RANDOM_GAME_H_
