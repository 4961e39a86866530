// What the slider methods share: the squares whose occupation matters to a slider, all the ways in which they can be
// occupied, and the attacks for each, found by walking.

#ifndef KIBITZ_ENGINE_BOARD_ATTACKS_SLIDER_TABLE_H_
#define KIBITZ_ENGINE_BOARD_ATTACKS_SLIDER_TABLE_H_

#include <array>
#include <cstdint>

#include "engine/board/attacks/geometry.h"
#include "engine/board/bitboard.h"
#include "engine/board/types.h"

namespace kibitz {

enum class SliderKind : std::uint8_t { kBishop, kRook };
inline constexpr std::array<SliderKind, 2> kSliderKinds = {SliderKind::kBishop, SliderKind::kRook};

constexpr Bitboard EmptyAttacks(SliderKind kind, Square square) {
  return kind == SliderKind::kRook ? EmptyRookAttacks(square) : EmptyBishopAttacks(square);
}

// The squares whose occupation changes the attacks: the empty-board attacks without the last square of each ray, which
// is attacked in any case.
constexpr Bitboard RelevantOccupancy(SliderKind kind, Square square) {
  Bitboard last_squares = 0;
  for (const auto& rays : kRays) {
    for (Square target : Squares(rays[Index(square)])) {
      if (rays[Index(target)] == 0) last_squares |= Bit(target);
    }
  }
  return EmptyAttacks(kind, square) & ~last_squares;
}

// The `index`-th way to occupy the squares of `mask`: bit i of `index` decides the mask's i-th square, so that 0 to
// 2^Count(mask) - 1 run through all of them.
Bitboard SetOccupancy(int index, Bitboard mask);

// The attacks, found by walking each ray to its first blocker. Slow, and obviously right.
Bitboard WalkAttacks(SliderKind kind, Square square, Bitboard occupied);

// How many attack sets a table holds that has a place for every relevant occupancy of every square.
constexpr int TableSize(SliderKind kind) {
  int size = 0;
  for (int square = 0; square < kNumSquares; ++square) size += 1 << Count(RelevantOccupancy(kind, SquareAt(square)));
  return size;
}
inline constexpr int kSliderTableSize = TableSize(SliderKind::kBishop) + TableSize(SliderKind::kRook);

// Fills one square's part of such a table: `index_of` tells the place of a relevant occupancy.
template <typename IndexOf>
void FillAttacks(SliderKind kind, Square square, IndexOf index_of, Bitboard* attacks) {
  const Bitboard mask = RelevantOccupancy(kind, square);
  for (int i = 0; i < 1 << Count(mask); ++i) {
    const Bitboard occupied = SetOccupancy(i, mask);
    attacks[index_of(occupied)] = WalkAttacks(kind, square, occupied);
  }
}

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_ATTACKS_SLIDER_TABLE_H_
