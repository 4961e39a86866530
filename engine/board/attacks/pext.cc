#include "engine/board/attacks/pext.h"

namespace kibitz {
namespace {

Bitboard rook_attacks[kRookTableSize];
Bitboard bishop_attacks[kBishopTableSize];

}  // namespace

std::array<PextSliders::Entry, kNumSquares> PextSliders::MakeEntries(SliderKind kind) {
  std::array<Entry, kNumSquares> entries;
  Bitboard* next = kind == SliderKind::kRook ? rook_attacks : bishop_attacks;
  for (int i = 0; i < kNumSquares; ++i) {
    const Square square = SquareAt(i);
    const Bitboard mask = RelevantOccupancy(kind, square);
    entries[i] = {mask, next};
    // SetOccupancy deals bits out in the order in which extraction gathers them, so its index is the place.
    for (int index = 0; index < 1 << Count(mask); ++index)
      *next++ = WalkAttacks(kind, square, SetOccupancy(index, mask));
  }
  return entries;
}

const std::array<PextSliders::Entry, kNumSquares> PextSliders::kRooks = MakeEntries(SliderKind::kRook);
const std::array<PextSliders::Entry, kNumSquares> PextSliders::kBishops = MakeEntries(SliderKind::kBishop);

}  // namespace kibitz
