// Slider attacks by parallel bit extraction: the blockers on a piece's lines, gathered into an index by one
// instruction.

#ifndef KIBITZ_ENGINE_BOARD_ATTACKS_PEXT_H_
#define KIBITZ_ENGINE_BOARD_ATTACKS_PEXT_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/board/attacks/slider_table.h"
#include "engine/board/bitboard.h"
#include "engine/board/types.h"

#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace kibitz {

struct PextSliders {
 private:
  struct Entry {
    Bitboard mask;
    const Bitboard* attacks;
  };
  using Entries = std::array<Entry, kNumSquares>;

 public:
  static constexpr char kName[] = "pext";
  static constexpr std::size_t kTableBytes = 2 * sizeof(Entries) + kSliderTableSize * sizeof(Bitboard);

  // Whether the build's target has the instruction and runs it fast: AMD's processors before Zen 3 take hundreds of
  // cycles for it.
#if defined(__BMI2__) && !defined(__bdver4__) && !defined(__znver1__) && !defined(__znver2__)
  static constexpr bool kIsFast = true;
#else
  static constexpr bool kIsFast = false;
#endif

  static Bitboard Rook(Square square, Bitboard occupied) { return Lookup(kRooks[Index(square)], occupied); }
  static Bitboard Bishop(Square square, Bitboard occupied) { return Lookup(kBishops[Index(square)], occupied); }

 private:
  static Bitboard Lookup(const Entry& entry, Bitboard occupied) { return entry.attacks[Extract(occupied, entry.mask)]; }

  // The bits of `word` under `mask`, packed together. In software where the target has no BMI2, so that every build can
  // prove this method equal to the others.
  static std::uint64_t Extract(std::uint64_t word, std::uint64_t mask) {
#ifdef __BMI2__
    return _pext_u64(word, mask);
#else
    std::uint64_t packed = 0;
    for (std::uint64_t bit = 1; mask != 0; mask &= mask - 1, bit <<= 1) {
      if (word & mask & -mask) packed |= bit;
    }
    return packed;
#endif
  }

  static Entries MakeEntries(SliderKind kind, Bitboard* attacks);

  static const Entries kRooks;
  static const Entries kBishops;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_ATTACKS_PEXT_H_
