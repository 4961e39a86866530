// Who attacks what: gathered once, while the pieces are looked at, and used by the terms that follow.

#ifndef KIBITZ_ENGINE_EVAL_CLASSICAL_ATTACK_MAP_H_
#define KIBITZ_ENGINE_EVAL_CLASSICAL_ATTACK_MAP_H_

#include <array>

#include "engine/board/attacks/attacks.h"
#include "engine/board/position.h"

namespace kibitz {

struct AttackMap {
  explicit AttackMap(const Board& board) {
    AddBasics<Color::kWhite>(board);
    AddBasics<Color::kBlack>(board);
  }

  // A piece of side `color` attacks `squares`, and is a danger of so much to a king whose zone it reaches.
  void Add(Color color, PieceType type, Bitboard squares, int danger) {
    const int us = Index(color);
    twice[us] |= all[us] & squares;
    all[us] |= squares;
    by_type[us][Index(type)] |= squares;
    if (const Bitboard zone = squares & king_zone[us ^ 1]) {
      ++king_attackers[us];
      king_danger[us] += danger;
      zone_attacks[us] += Count(zone);
    }
  }

  std::array<Bitboard, kNumColors> all{};
  std::array<Bitboard, kNumColors> twice{};
  std::array<std::array<Bitboard, kNumPieceTypes>, kNumColors> by_type{};
  std::array<Bitboard, kNumColors> king_zone{};
  // What each side brings to bear on the other's king.
  std::array<int, kNumColors> king_attackers{};
  std::array<int, kNumColors> king_danger{};
  std::array<int, kNumColors> zone_attacks{};

 private:
  template <Color kUs>
  void AddBasics(const Board& board) {
    constexpr int kIndex = Index(kUs);
    const Bitboard king = KingAttacks(board.KingOf(kUs));
    const Bitboard pawns = PawnSetAttacks<kUs>(board.Of(kUs, PieceType::kPawn));
    const Bitboard pawns_twice =
        kUs == Color::kWhite ? Shift<7>(board.Of(kUs, PieceType::kPawn)) & Shift<9>(board.Of(kUs, PieceType::kPawn))
                             : Shift<-7>(board.Of(kUs, PieceType::kPawn)) & Shift<-9>(board.Of(kUs, PieceType::kPawn));
    by_type[kIndex][Index(PieceType::kPawn)] = pawns;
    by_type[kIndex][Index(PieceType::kKing)] = king;
    all[kIndex] = pawns | king;
    twice[kIndex] = pawns_twice | (pawns & king);
    // The king's squares and those in front of them. What two of its pawns guard is safe enough.
    king_zone[kIndex] = (king | Bit(board.KingOf(kUs)) | Shift<Up(kUs)>(king)) & ~pawns_twice;
  }
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_EVAL_CLASSICAL_ATTACK_MAP_H_
