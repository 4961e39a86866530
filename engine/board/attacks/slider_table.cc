#include "engine/board/attacks/slider_table.h"

#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace kibitz {

Bitboard SetOccupancy(int index, Bitboard mask) {
#ifdef __BMI2__
  // Every start of a program fills tables by this.
  return _pdep_u64(static_cast<std::uint64_t>(index), mask);
#else
  Bitboard occupied = 0;
  for (; mask != 0; index >>= 1) {
    const Square square = PopFirst(mask);
    if (index & 1) occupied |= Bit(square);
  }
  return occupied;
#endif
}

Bitboard WalkAttacks(SliderKind kind, Square square, Bitboard occupied) {
  constexpr Direction kRookDirections[] = {Direction::kNorth, Direction::kEast, Direction::kSouth, Direction::kWest};
  constexpr Direction kBishopDirections[] = {Direction::kNorthEast, Direction::kNorthWest, Direction::kSouthEast,
                                             Direction::kSouthWest};
  Bitboard attacks = 0;
  for (Direction direction : kind == SliderKind::kRook ? kRookDirections : kBishopDirections) {
    Square at = square;
    while (Ray(direction, at) != 0) {
      at = Offset(at, kDirectionStep[static_cast<int>(direction)]);
      attacks |= Bit(at);
      if (Contains(occupied, at)) break;
    }
  }
  return attacks;
}

}  // namespace kibitz
