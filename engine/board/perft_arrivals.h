// What it changes in the other side's answers when a piece of ours comes to stand on an empty square: sliders go no
// further, pawns do not push, but may capture. All of it is counted beforehand, for every square at once.

#ifndef KIBITZ_ENGINE_BOARD_PERFT_ARRIVALS_H_
#define KIBITZ_ENGINE_BOARD_PERFT_ARRIVALS_H_

#include <array>
#include <cstdint>

#include "engine/board/attacks/attacks.h"
#include "engine/board/bitboard.h"
#include "engine/board/types.h"

namespace kibitz {

// Good for squares on no pin of theirs, and while nothing else changes: what left for them stood in nobody's way.
template <Color kThem>
class Arrivals {
 public:
  // By how much the number of their answers changes.
  int At(Square to) const { return changes_[Index(to)]; }

  // Where one of their sliders may go.
  template <PieceType kType>
  [[gnu::always_inline]] void NoteSlider(Square from, Bitboard targets) {
    if constexpr (kType != PieceType::kBishop) {
      NoteRay<Direction::kNorth>(from, targets);
      NoteRay<Direction::kEast>(from, targets);
      NoteRay<Direction::kSouth>(from, targets);
      NoteRay<Direction::kWest>(from, targets);
    }
    if constexpr (kType != PieceType::kRook) {
      NoteRay<Direction::kNorthEast>(from, targets);
      NoteRay<Direction::kNorthWest>(from, targets);
      NoteRay<Direction::kSouthEast>(from, targets);
      NoteRay<Direction::kSouthWest>(from, targets);
    }
  }

  // Their pawns that are not pinned.
  [[gnu::always_inline]] void NotePawns(Bitboard pawns, Bitboard occupied) {
    constexpr int kUp = Up(kThem);
    const Bitboard empty = ~occupied;
    const Bitboard pushed = Shift<kUp>(pawns) & empty;
    const Bitboard pushed_twice = Shift<kUp>(pushed & RelativeRankMask(kThem, 2)) & empty;
    AddMoves<1>(Shift<kUp - 1>(pawns) & empty);
    AddMoves<1>(Shift<kUp + 1>(pawns) & empty);
    AddMoves<-1>(pushed);
    AddMoves<-1>(pushed_twice);
    // Who stands in the middle stops these too.
    AddMoves<-1>(Shift<-kUp>(pushed_twice));
  }

 private:
  // On each square those beyond it are lost.
  template <Direction kDirection>
  [[gnu::always_inline]] void NoteRay(Square from, Bitboard targets) {
    Bitboard ray = targets & Ray(kDirection, from);
    if constexpr (kDirection < Direction::kSouth) {
      // The nearest square is the lowest.
      for (int beyond = Count(ray) - 1; ray != 0; --beyond) Add(PopFirst(ray), -beyond);
    } else {
      for (int beyond = 0; ray != 0; ++beyond) Add(PopFirst(ray), -beyond);
    }
  }
  template <int kMoves>
  [[gnu::always_inline]] void AddMoves(Bitboard squares) {
    constexpr int kPromotions = 4;
    for (Square square : Squares(squares & ~RelativeRankMask(kThem, 7))) Add(square, kMoves);
    for (Square square : Squares(squares & RelativeRankMask(kThem, 7))) Add(square, kMoves * kPromotions);
  }
  void Add(Square square, int change) {
    changes_[Index(square)] = static_cast<std::int8_t>(changes_[Index(square)] + change);
  }

  // At most eight lines meet on a square, and a few pawns.
  std::array<std::int8_t, kNumSquares> changes_{};
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_PERFT_ARRIVALS_H_
