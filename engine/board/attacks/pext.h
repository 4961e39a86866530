// Slider attacks by parallel bit extraction: the blockers on a piece's lines, gathered into an index.

#ifndef KIBITZ_ENGINE_BOARD_ATTACKS_PEXT_H_
#define KIBITZ_ENGINE_BOARD_ATTACKS_PEXT_H_

#include <array>
#include <cstdint>

#include "engine/board/attacks/slider_table.h"
#include "engine/board/bitboard.h"
#include "engine/board/types.h"

#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace kibitz {

struct PextSliders {
  static constexpr char kName[] = "pext";

  static Bitboard Rook(Square square, Bitboard occupied) { return Lookup(kRooks[Index(square)], occupied); }
  static Bitboard Bishop(Square square, Bitboard occupied) { return Lookup(kBishops[Index(square)], occupied); }

 private:
  struct Entry {
    Bitboard mask;
    const Bitboard* attacks;
  };

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

  static std::array<Entry, kNumSquares> MakeEntries(SliderKind kind);

  static const std::array<Entry, kNumSquares> kRooks;
  static const std::array<Entry, kNumSquares> kBishops;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_ATTACKS_PEXT_H_
