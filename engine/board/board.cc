#include "engine/board/board.h"

#include "engine/board/attacks/attacks.h"

namespace kibitz {

Piece Board::At(Square square) const {
  for (Color color : {Color::kWhite, Color::kBlack}) {
    if (!Contains(Of(color), square)) continue;
    for (int type = 0; type < kNumPieceTypes; ++type) {
      if (Contains(by_type[type], square)) return Piece(color, static_cast<PieceType>(type));
    }
  }
  return Piece();
}

Bitboard Board::AttackersTo(Square square, Bitboard occupied) const {
  const Bitboard queens = Of(PieceType::kQueen);
  return (PawnAttacks(Color::kWhite, square) & Of(Color::kBlack, PieceType::kPawn)) |
         (PawnAttacks(Color::kBlack, square) & Of(Color::kWhite, PieceType::kPawn)) |
         (KnightAttacks(square) & Of(PieceType::kKnight)) | (KingAttacks(square) & Of(PieceType::kKing)) |
         (BishopAttacks(square, occupied) & (Of(PieceType::kBishop) | queens)) |
         (RookAttacks(square, occupied) & (Of(PieceType::kRook) | queens));
}

Bitboard Board::Pinned() const {
  const Square king = KingOf(side_to_move);
  const Bitboard theirs = Of(~side_to_move);
  const Bitboard queens = Of(PieceType::kQueen);
  const Bitboard snipers = theirs & ((RookAttacks(king, theirs) & (Of(PieceType::kRook) | queens)) |
                                     (BishopAttacks(king, theirs) & (Of(PieceType::kBishop) | queens)));
  Bitboard pinned = 0;
  for (Square sniper : Squares(snipers)) {
    const Bitboard shield = Between(king, sniper) & Of(side_to_move);
    if (shield != 0 && !MoreThanOne(shield)) pinned |= shield;
  }
  return pinned;
}

CastlingRights Board::Rights() const {
  int rights = kNoCastling;
  for (Square rook : Squares(castling_rooks)) {
    const Color color = Contains(Of(Color::kWhite), rook) ? Color::kWhite : Color::kBlack;
    const bool kingside = CastlingMove(KingOf(color), rook).kingside;
    rights |= (kingside ? kWhiteKingside : kWhiteQueenside) << (color == Color::kWhite ? 0 : 2);
  }
  return static_cast<CastlingRights>(rights);
}

}  // namespace kibitz
