// Slider attacks by blockers and beyond: the attacks on an empty board, less what lies behind each blocker.

#ifndef KIBITZ_ENGINE_BOARD_ATTACKS_BLOCKERS_AND_BEYOND_H_
#define KIBITZ_ENGINE_BOARD_ATTACKS_BLOCKERS_AND_BEYOND_H_

#include <array>
#include <cstddef>

#include "engine/board/attacks/geometry.h"
#include "engine/board/attacks/slider_table.h"
#include "engine/board/bitboard.h"
#include "engine/board/types.h"

namespace kibitz {

struct BlockersAndBeyond {
 private:
  struct Entry {
    Bitboard attacks;   // on an empty board
    Bitboard blockers;  // the squares on which a piece hides others
  };
  using Entries = std::array<Entry, kNumSquares>;

 public:
  static constexpr char kName[] = "blockers and beyond";
  static constexpr std::size_t kTableBytes = 2 * sizeof(Entries) + sizeof(SquarePairTable);

  static Bitboard Rook(Square square, Bitboard occupied) { return Slide(kRooks, square, occupied); }
  static Bitboard Bishop(Square square, Bitboard occupied) { return Slide(kBishops, square, occupied); }

 private:
  static Bitboard Slide(const Entries& entries, Square square, Bitboard occupied) {
    const Entry& entry = entries[Index(square)];
    Bitboard attacks = entry.attacks;
    for (Square blocker : Squares(occupied & entry.blockers)) attacks &= ~kBehind[Index(square)][Index(blocker)];
    return attacks;
  }

  static constexpr Entries MakeEntries(SliderKind kind);
  static constexpr SquarePairTable MakeBehind();

  static const Entries kRooks;
  static const Entries kBishops;
  // The squares hidden from the first square by a piece on the second.
  static const SquarePairTable kBehind;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_ATTACKS_BLOCKERS_AND_BEYOND_H_
