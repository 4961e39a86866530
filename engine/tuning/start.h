// Where the games that nets learn from begin: coverage decides what they know.

#ifndef KIBITZ_ENGINE_TUNING_START_H_
#define KIBITZ_ENGINE_TUNING_START_H_

#include <array>
#include <cstdint>
#include <random>

#include "absl/strings/string_view.h"
#include "engine/board/position.h"

namespace kibitz {
class PolyglotBook;
}

namespace kibitz::tuning {

enum class StartKind : std::uint8_t {
  kRandom,      // random moves from the starting position
  kBook,        // a book's moves, then some random ones
  kChess960,    // random moves from one of the 960 starts
  kImbalanced,  // random moves, then a piece or two are taken off the board
  kEndgame,     // a few pieces, anywhere
};
inline constexpr int kNumStartKinds = 5;
inline constexpr std::array<absl::string_view, kNumStartKinds> kStartKindNames = {"random", "book", "Chess960",
                                                                                  "imbalanced", "endgame"};

// Of a hundred games, how many begin so. Without a book its share begins at random.
inline constexpr std::array<int, kNumStartKinds> kStartShares = {40, 20, 12, 16, 12};

StartKind DrawStartKind(std::mt19937_64& random);

// A position to begin with, not yet over, the same for the same state of `random`. `book`: nullptr for none.
Position DrawStart(StartKind kind, const PolyglotBook* book, std::mt19937_64& random);

}  // namespace kibitz::tuning

#endif  // KIBITZ_ENGINE_TUNING_START_H_
