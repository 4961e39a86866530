// Slider attacks by rays: each ray, cut off behind its nearest blocker.

#ifndef KIBITZ_ENGINE_BOARD_ATTACKS_CLASSICAL_RAYS_H_
#define KIBITZ_ENGINE_BOARD_ATTACKS_CLASSICAL_RAYS_H_

#include <bit>
#include <cstddef>

#include "engine/board/attacks/geometry.h"
#include "engine/board/bitboard.h"
#include "engine/board/types.h"

namespace kibitz {

struct ClassicalRays {
  static constexpr char kName[] = "classical rays";
  static constexpr std::size_t kTableBytes = sizeof(kRays);

  static constexpr Bitboard Rook(Square square, Bitboard occupied) {
    return Up(Direction::kNorth, square, occupied) | Up(Direction::kEast, square, occupied) |
           Down(Direction::kSouth, square, occupied) | Down(Direction::kWest, square, occupied);
  }
  static constexpr Bitboard Bishop(Square square, Bitboard occupied) {
    return Up(Direction::kNorthEast, square, occupied) | Up(Direction::kNorthWest, square, occupied) |
           Down(Direction::kSouthEast, square, occupied) | Down(Direction::kSouthWest, square, occupied);
  }

 private:
  // The nearest blocker is the lowest on a ray towards higher squares and the highest on a ray towards lower ones.
  // Where there is none, h8 or a1 takes its place, from where such a ray leads nowhere: it cuts nothing off, without a
  // branch.
  static constexpr Bitboard Up(Direction direction, Square square, Bitboard occupied) {
    const Bitboard ray = Ray(direction, square);
    return ray ^ Ray(direction, First((ray & occupied) | Bit(Square::kH8)));
  }
  static constexpr Bitboard Down(Direction direction, Square square, Bitboard occupied) {
    const Bitboard ray = Ray(direction, square);
    return ray ^ Ray(direction, SquareAt(63 - std::countl_zero((ray & occupied) | Bit(Square::kA1))));
  }
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_ATTACKS_CLASSICAL_RAYS_H_
