// Slider attacks by magic multiplication: a number that gathers the blockers on a piece's lines into the product's top
// bits, as an index. Needs nothing of the hardware but a multiplication.

#ifndef KIBITZ_ENGINE_BOARD_ATTACKS_MAGIC_H_
#define KIBITZ_ENGINE_BOARD_ATTACKS_MAGIC_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/board/attacks/slider_table.h"
#include "engine/board/bitboard.h"
#include "engine/board/types.h"

namespace kibitz {

struct MagicSliders {
 private:
  struct Entry {
    Bitboard mask;
    std::uint64_t magic;
    const Bitboard* attacks;
    int shift;

    std::uint64_t IndexOf(Bitboard occupied) const { return ((occupied & mask) * magic) >> shift; }
  };
  using Entries = std::array<Entry, kNumSquares>;

 public:
  static constexpr char kName[] = "magic";
  static constexpr std::size_t kTableBytes = 2 * sizeof(Entries) + kSliderTableSize * sizeof(Bitboard);

  static Bitboard Rook(Square square, Bitboard occupied) { return Lookup(kRooks[Index(square)], occupied); }
  static Bitboard Bishop(Square square, Bitboard occupied) { return Lookup(kBishops[Index(square)], occupied); }

 private:
  static Bitboard Lookup(const Entry& entry, Bitboard occupied) { return entry.attacks[entry.IndexOf(occupied)]; }

  static Entries MakeEntries(SliderKind kind, const std::array<std::uint64_t, kNumSquares>& magics, Bitboard* attacks);

  static const Entries kRooks;
  static const Entries kBishops;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_ATTACKS_MAGIC_H_
