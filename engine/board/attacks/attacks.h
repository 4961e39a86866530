// What each piece attacks. The only header that the rest of the engine needs of this folder.

#ifndef KIBITZ_ENGINE_BOARD_ATTACKS_ATTACKS_H_
#define KIBITZ_ENGINE_BOARD_ATTACKS_ATTACKS_H_

#include <array>
#include <type_traits>

#include "engine/board/attacks/geometry.h"
#include "engine/board/attacks/magic.h"
#include "engine/board/attacks/pext.h"
#include "engine/board/bitboard.h"
#include "engine/board/types.h"

namespace kibitz {

// The method by which the core finds slider attacks, chosen by what the build's target does best. Its tables are filled
// when the program starts, before main: no initialiser of a global may ask for slider attacks.
using Sliders = std::conditional_t<PextSliders::kIsFast, PextSliders, MagicSliders>;

namespace attacks_internal {

constexpr Bitboard KnightSteps(Bitboard b) {
  const Bitboard one = Shift<1>(b) | Shift<-1>(b);
  const Bitboard two = Shift<1>(Shift<1>(b)) | Shift<-1>(Shift<-1>(b));
  return one << 16 | one >> 16 | two << 8 | two >> 8;
}
constexpr Bitboard KingSteps(Bitboard b) {
  const Bitboard row = b | Shift<1>(b) | Shift<-1>(b);
  return (row | row << 8 | row >> 8) & ~b;
}

using SquareTable = std::array<Bitboard, kNumSquares>;

template <typename F>
constexpr SquareTable ForEachSquare(F attacks_of) {
  SquareTable table{};
  for (int square = 0; square < kNumSquares; ++square) table[square] = attacks_of(1ULL << square);
  return table;
}

}  // namespace attacks_internal

// The squares attacked by all pawns of a set, by the side that moves up or down the board.
template <Color kSide>
constexpr Bitboard PawnSetAttacks(Bitboard pawns) {
  return kSide == Color::kWhite ? Shift<7>(pawns) | Shift<9>(pawns) : Shift<-7>(pawns) | Shift<-9>(pawns);
}

inline constexpr attacks_internal::SquareTable kKnightAttacks =
    attacks_internal::ForEachSquare(attacks_internal::KnightSteps);
inline constexpr attacks_internal::SquareTable kKingAttacks =
    attacks_internal::ForEachSquare(attacks_internal::KingSteps);
inline constexpr std::array<attacks_internal::SquareTable, kNumColors> kPawnAttacks = {
    attacks_internal::ForEachSquare(PawnSetAttacks<Color::kWhite>),
    attacks_internal::ForEachSquare(PawnSetAttacks<Color::kBlack>)};

constexpr Bitboard PawnAttacks(Color color, Square square) { return kPawnAttacks[Index(color)][Index(square)]; }
constexpr Bitboard KnightAttacks(Square square) { return kKnightAttacks[Index(square)]; }
constexpr Bitboard KingAttacks(Square square) { return kKingAttacks[Index(square)]; }

inline Bitboard BishopAttacks(Square square, Bitboard occupied) { return Sliders::Bishop(square, occupied); }
inline Bitboard RookAttacks(Square square, Bitboard occupied) { return Sliders::Rook(square, occupied); }
inline Bitboard QueenAttacks(Square square, Bitboard occupied) {
  return BishopAttacks(square, occupied) | RookAttacks(square, occupied);
}

// The attacks of a piece other than a pawn, its kind known when the program is compiled.
template <PieceType kType>
inline Bitboard AttacksFrom(Square square, Bitboard occupied) {
  static_assert(kType != PieceType::kPawn && kType != PieceType::kNone);
  if constexpr (kType == PieceType::kKnight) return KnightAttacks(square);
  if constexpr (kType == PieceType::kBishop) return BishopAttacks(square, occupied);
  if constexpr (kType == PieceType::kRook) return RookAttacks(square, occupied);
  if constexpr (kType == PieceType::kQueen) return QueenAttacks(square, occupied);
  if constexpr (kType == PieceType::kKing) return KingAttacks(square);
}

// The same, its kind known only when the program runs.
inline Bitboard AttacksFrom(PieceType type, Square square, Bitboard occupied) {
  switch (type) {
    case PieceType::kKnight:
      return KnightAttacks(square);
    case PieceType::kBishop:
      return BishopAttacks(square, occupied);
    case PieceType::kRook:
      return RookAttacks(square, occupied);
    case PieceType::kQueen:
      return QueenAttacks(square, occupied);
    case PieceType::kKing:
      return KingAttacks(square);
    case PieceType::kPawn:
    case PieceType::kNone:
      break;
  }
  return 0;
}

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_ATTACKS_ATTACKS_H_
