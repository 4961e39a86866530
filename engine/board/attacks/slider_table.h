// What the methods that look attacks up in a table (magic, PEXT) share: the relevant squares of a slider, all the ways
// in which they can be occupied, and the attacks for each, found by walking.

#ifndef KIBITZ_ENGINE_BOARD_ATTACKS_SLIDER_TABLE_H_
#define KIBITZ_ENGINE_BOARD_ATTACKS_SLIDER_TABLE_H_

#include "engine/board/bitboard.h"
#include "engine/board/types.h"

namespace kibitz {

enum class SliderKind : std::uint8_t { kBishop, kRook };

// The sizes of the tables over all squares: the sum of 2^(relevant squares).
inline constexpr int kRookTableSize = 102400;
inline constexpr int kBishopTableSize = 5248;

// The squares whose occupation changes the attacks: the empty-board attacks without the last square of each ray, which
// is attacked in any case.
Bitboard RelevantOccupancy(SliderKind kind, Square square);

// The `index`-th way to occupy the squares of `mask`: bit i of `index` decides the mask's i-th square, so that 0 to
// 2^Count(mask) - 1 run through all of them.
Bitboard SetOccupancy(int index, Bitboard mask);

// The attacks, found by walking each ray to its first blocker. Slow, and obviously right.
Bitboard WalkAttacks(SliderKind kind, Square square, Bitboard occupied);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_ATTACKS_SLIDER_TABLE_H_
