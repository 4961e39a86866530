// Where the pieces stand and what the rules of the next move need beside that, in one small value.

#ifndef KIBITZ_ENGINE_BOARD_BOARD_H_
#define KIBITZ_ENGINE_BOARD_BOARD_H_

#include <array>
#include <cstdint>

#include "engine/board/bitboard.h"
#include "engine/board/move.h"
#include "engine/board/types.h"

namespace kibitz {

// The four castling rights in four bits, for those who ask; a Board keeps the rooks instead.
enum CastlingRights : std::uint8_t {
  kNoCastling = 0,
  kWhiteKingside = 1,
  kWhiteQueenside = 2,
  kBlackKingside = 4,
  kBlackQueenside = 8,
};

// Eight bitboards, and what may still happen: who moves, who may castle, which pawn may be taken en passant.
//
// Castling rights are the set of rooks that may still castle. A right then goes the moment its rook or king moves or is
// captured, by masking squares, and Chess960 needs nothing more. `en_passant` is set only where such a capture is
// legal.
//
// A plain value without pointers: perft copies it at every node instead of taking moves back.
struct Board {
  std::array<Bitboard, kNumColors> by_color{};
  std::array<Bitboard, kNumPieceTypes> by_type{};
  Bitboard castling_rooks = 0;
  Square en_passant = Square::kNone;  // where the capturing pawn lands
  Color side_to_move = Color::kWhite;

  Bitboard Occupied() const { return by_color[0] | by_color[1]; }
  Bitboard Of(Color color) const { return by_color[Index(color)]; }
  Bitboard Of(PieceType type) const { return by_type[Index(type)]; }
  Bitboard Of(Color color, PieceType type) const { return Of(color) & Of(type); }
  Square KingOf(Color color) const { return First(Of(color, PieceType::kKing)); }

  // The piece on a square, found by asking each bitboard.
  Piece At(Square square) const;

  // The pieces of both sides that attack a square, with sliders stopped by `occupied`.
  Bitboard AttackersTo(Square square, Bitboard occupied) const;
  // Whether `by` attacks a square.
  bool IsAttacked(Square square, Color by, Bitboard occupied) const {
    return (AttackersTo(square, occupied) & Of(by)) != 0;
  }
  // The pieces that give check to the side to move.
  Bitboard Checkers() const { return AttackersTo(KingOf(side_to_move), Occupied()) & Of(~side_to_move); }
  // The pieces of the side to move that stand alone between their king and an enemy slider.
  Bitboard Pinned() const;

  CastlingRights Rights() const;

  friend bool operator==(const Board&, const Board&) = default;
};

// Castling with a rook: which side, and where the king and the rook end up.
struct CastlingMove {
  constexpr CastlingMove(Square king, Square rook)
      : kingside(Index(rook) > Index(king)),
        king_to(MakeSquare(kingside ? 6 : 2, RankOf(king))),
        rook_to(MakeSquare(kingside ? 5 : 3, RankOf(king))) {}
  bool kingside;
  Square king_to;
  Square rook_to;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_BOARD_H_
