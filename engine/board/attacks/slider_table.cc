#include "engine/board/attacks/slider_table.h"

#include "engine/board/attacks/geometry.h"

namespace kibitz {
namespace {

// The directions of a slider, as the indices of kRays.
constexpr int kRookDirections[] = {0, 1, 4, 5};
constexpr int kBishopDirections[] = {2, 3, 6, 7};

const int (&DirectionsOf(SliderKind kind))[4] {
  return kind == SliderKind::kRook ? kRookDirections : kBishopDirections;
}

}  // namespace

Bitboard RelevantOccupancy(SliderKind kind, Square square) {
  Bitboard relevant = 0;
  for (int direction : DirectionsOf(kind)) {
    for (Square target : Squares(kRays[direction][Index(square)])) {
      if (kRays[direction][Index(target)] != 0) relevant |= Bit(target);
    }
  }
  return relevant;
}

Bitboard SetOccupancy(int index, Bitboard mask) {
  Bitboard occupied = 0;
  for (; mask != 0; index >>= 1) {
    const Square square = PopFirst(mask);
    if (index & 1) occupied |= Bit(square);
  }
  return occupied;
}

Bitboard WalkAttacks(SliderKind kind, Square square, Bitboard occupied) {
  Bitboard attacks = 0;
  for (int direction : DirectionsOf(kind)) {
    Square at = square;
    while (kRays[direction][Index(at)] != 0) {
      at = Offset(at, kDirectionStep[direction]);
      attacks |= Bit(at);
      if (Contains(occupied, at)) break;
    }
  }
  return attacks;
}

}  // namespace kibitz
