#include "engine/board/attacks/pext.h"

namespace kibitz {
namespace {

Bitboard rook_attacks[TableSize(SliderKind::kRook)];
Bitboard bishop_attacks[TableSize(SliderKind::kBishop)];

}  // namespace

PextSliders::Entries PextSliders::MakeEntries(SliderKind kind, Bitboard* attacks) {
  Entries entries;
  for (int i = 0; i < kNumSquares; ++i) {
    const Bitboard mask = RelevantOccupancy(kind, SquareAt(i));
    entries[i] = {mask, attacks};
    FillAttacks(kind, SquareAt(i), [=](Bitboard occupied) { return Extract(occupied, mask); }, attacks);
    attacks += 1 << Count(mask);
  }
  return entries;
}

const PextSliders::Entries PextSliders::kRooks = MakeEntries(SliderKind::kRook, rook_attacks);
const PextSliders::Entries PextSliders::kBishops = MakeEntries(SliderKind::kBishop, bishop_attacks);

}  // namespace kibitz
