// Sets of squares, one bit a square. Bit 0 is a1, bit 63 is h8.

#ifndef KIBITZ_ENGINE_BOARD_BITBOARD_H_
#define KIBITZ_ENGINE_BOARD_BITBOARD_H_

#include <bit>
#include <cstdint>

#include "engine/board/bitscan.h"
#include "engine/board/types.h"

namespace kibitz {

// A plain word rather than a class: the slider methods multiply, subtract and byte-swap it.
using Bitboard = std::uint64_t;

inline constexpr Bitboard kFileA = 0x0101010101010101;
inline constexpr Bitboard kFileH = 0x8080808080808080;
inline constexpr Bitboard kRank1 = 0x00000000000000ff;
inline constexpr Bitboard kRank8 = 0xff00000000000000;
inline constexpr Bitboard kLightSquares = 0x55aa55aa55aa55aa;
inline constexpr Bitboard kDarkSquares = ~kLightSquares;

constexpr Bitboard FileMask(int file) { return kFileA << file; }
constexpr Bitboard RankMask(int rank) { return kRank1 << (8 * rank); }
constexpr Bitboard RelativeRankMask(Color color, int rank) { return RankMask(RelativeRank(color, rank)); }

constexpr Bitboard Bit(Square square) { return 1ULL << Index(square); }
constexpr bool Contains(Bitboard set, Square square) { return (set >> Index(square)) & 1; }
constexpr int Count(Bitboard set) { return std::popcount(set); }
constexpr bool MoreThanOne(Bitboard set) { return (set & (set - 1)) != 0; }

// The first square of a set that is not empty.
constexpr Square First(Bitboard set) { return SquareAt(Bitscan::Lowest(set)); }
// Takes the first square out of a set that is not empty.
constexpr Square PopFirst(Bitboard& set) {
  const Square square = First(set);
  set &= set - 1;
  return square;
}

// Steps over the board's edge fall off.
template <int kDelta>
constexpr Bitboard Shift(Bitboard set) {
  constexpr int kFileStep = (kDelta + 16 + 1) % 8 - 1;  // -1, 0 or +1
  static_assert(kFileStep >= -1 && kFileStep <= 1);
  if constexpr (kFileStep == 1) set &= ~kFileH;
  if constexpr (kFileStep == -1) set &= ~kFileA;
  return kDelta > 0 ? set << (kDelta & 63) : set >> (-kDelta & 63);
}

// Iterates over the squares of a set: for (Square square : Squares(set)).
class Squares {
 public:
  constexpr explicit Squares(Bitboard set) : set_(set) {}

  class Iterator {
   public:
    constexpr explicit Iterator(Bitboard rest) : rest_(rest) {}
    constexpr Square operator*() const { return First(rest_); }
    constexpr Iterator& operator++() {
      rest_ &= rest_ - 1;
      return *this;
    }
    friend constexpr bool operator==(Iterator, Iterator) = default;

   private:
    Bitboard rest_;
  };
  constexpr Iterator begin() const { return Iterator(set_); }
  constexpr Iterator end() const { return Iterator(0); }

 private:
  Bitboard set_;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_BITBOARD_H_
