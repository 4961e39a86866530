#include "engine/board/attacks/magic.h"

#include "engine/board/attacks/magic_numbers.h"

namespace kibitz {
namespace {

Bitboard rook_attacks[TableSize(SliderKind::kRook)];
Bitboard bishop_attacks[TableSize(SliderKind::kBishop)];

}  // namespace

MagicSliders::Entries MagicSliders::MakeEntries(SliderKind kind, const std::array<std::uint64_t, kNumSquares>& magics,
                                                Bitboard* attacks) {
  Entries entries;
  for (int i = 0; i < kNumSquares; ++i) {
    const Bitboard mask = RelevantOccupancy(kind, SquareAt(i));
    entries[i] = {mask, magics[i], attacks, 64 - Count(mask)};
    FillAttacks(kind, SquareAt(i), [&](Bitboard occupied) { return entries[i].IndexOf(occupied); }, attacks);
    attacks += 1 << Count(mask);
  }
  return entries;
}

const MagicSliders::Entries MagicSliders::kRooks = MakeEntries(SliderKind::kRook, kRookMagics, rook_attacks);
const MagicSliders::Entries MagicSliders::kBishops = MakeEntries(SliderKind::kBishop, kBishopMagics, bishop_attacks);

}  // namespace kibitz
