// The geometry of an empty board, computed at compile time: rays, lines and the squares between two squares.

#ifndef KIBITZ_ENGINE_BOARD_ATTACKS_GEOMETRY_H_
#define KIBITZ_ENGINE_BOARD_ATTACKS_GEOMETRY_H_

#include <array>
#include <cstdint>

#include "engine/board/bitboard.h"
#include "engine/board/types.h"

namespace kibitz {

// The eight directions. The first four run towards higher squares, so that a ray's nearest piece is its lowest bit.
enum class Direction : std::uint8_t { kNorth, kEast, kNorthEast, kNorthWest, kSouth, kWest, kSouthWest, kSouthEast };
inline constexpr int kNumDirections = 8;
inline constexpr std::array<int, kNumDirections> kDirectionStep = {8, 1, 9, 7, -8, -1, -9, -7};

namespace geometry_internal {

template <int kDelta>
constexpr Bitboard WalkRay(Bitboard square) {
  Bitboard ray = 0;
  for (Bitboard step = Shift<kDelta>(square); step != 0; step = Shift<kDelta>(step)) ray |= step;
  return ray;
}

constexpr std::array<std::array<Bitboard, kNumSquares>, kNumDirections> MakeRays() {
  std::array<std::array<Bitboard, kNumSquares>, kNumDirections> rays{};
  for (int square = 0; square < kNumSquares; ++square) {
    const Bitboard bit = 1ULL << square;
    rays[0][square] = WalkRay<8>(bit);
    rays[1][square] = WalkRay<1>(bit);
    rays[2][square] = WalkRay<9>(bit);
    rays[3][square] = WalkRay<7>(bit);
    rays[4][square] = WalkRay<-8>(bit);
    rays[5][square] = WalkRay<-1>(bit);
    rays[6][square] = WalkRay<-9>(bit);
    rays[7][square] = WalkRay<-7>(bit);
  }
  return rays;
}

}  // namespace geometry_internal

// The squares seen from a square in one direction, up to the edge.
inline constexpr std::array<std::array<Bitboard, kNumSquares>, kNumDirections> kRays = geometry_internal::MakeRays();

constexpr Bitboard Ray(Direction direction, Square square) { return kRays[static_cast<int>(direction)][Index(square)]; }
constexpr Direction Opposite(Direction direction) { return static_cast<Direction>(static_cast<int>(direction) ^ 4); }

// The attacks of a rook or bishop on an empty board.
constexpr Bitboard EmptyRookAttacks(Square square) {
  return Ray(Direction::kNorth, square) | Ray(Direction::kEast, square) | Ray(Direction::kSouth, square) |
         Ray(Direction::kWest, square);
}
constexpr Bitboard EmptyBishopAttacks(Square square) {
  return Ray(Direction::kNorthEast, square) | Ray(Direction::kNorthWest, square) | Ray(Direction::kSouthEast, square) |
         Ray(Direction::kSouthWest, square);
}

using SquarePairTable = std::array<std::array<Bitboard, kNumSquares>, kNumSquares>;

// The squares strictly between two squares of one line, and none for all other pairs.
extern const SquarePairTable kBetween;
// The whole line through two squares, edge to edge, and none for pairs that share no line.
extern const SquarePairTable kLine;

inline Bitboard Between(Square a, Square b) { return kBetween[Index(a)][Index(b)]; }
inline Bitboard Line(Square a, Square b) { return kLine[Index(a)][Index(b)]; }

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_ATTACKS_GEOMETRY_H_
