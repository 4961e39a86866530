// The board after a move. Moves are applied to a copy: eight bitboards fit a cache line, and copying them with the
// touched squares masked out costs less than undoing a move.

#ifndef KIBITZ_ENGINE_BOARD_PLAY_H_
#define KIBITZ_ENGINE_BOARD_PLAY_H_

#include "engine/board/attacks/attacks.h"
#include "engine/board/board.h"
#include "engine/board/move.h"
#include "engine/board/types.h"

namespace kibitz {

// Whether the pawn of the side to move on `from` may capture en passant on `target`: its king must not stand in check
// once both pawns have left their squares, which no pin alone can tell.
inline bool IsLegalEnPassant(const Board& board, Square from, Square target) {
  const Color us = board.side_to_move;
  const Square captured = Offset(target, -Up(us));
  const Bitboard occupied = (board.Occupied() & ~Bit(from) & ~Bit(captured)) | Bit(target);
  const Bitboard attackers = board.AttackersTo(board.KingOf(us), occupied) & board.Of(~us);
  return (attackers & ~Bit(captured)) == 0;
}

// A piece other than a castling king or a promoting or en-passant-capturing pawn moves, taking what stands on `to`.
template <Color kUs>
inline Board AfterMove(const Board& board, PieceType type, Square from, Square to) {
  const Bitboard keep = ~(Bit(from) | Bit(to));
  Board next;
  for (int color = 0; color < kNumColors; ++color) next.by_color[color] = board.by_color[color] & keep;
  for (int each = 0; each < kNumPieceTypes; ++each) next.by_type[each] = board.by_type[each] & keep;
  next.by_color[Index(kUs)] |= Bit(to);
  next.by_type[Index(type)] |= Bit(to);
  next.castling_rooks = board.castling_rooks & keep;
  if (type == PieceType::kKing) next.castling_rooks &= ~board.by_color[Index(kUs)];
  next.en_passant = Square::kNone;
  next.side_to_move = ~kUs;
  return next;
}

template <Color kUs>
inline Board AfterDoublePush(const Board& board, Square from, Square to) {
  Board next = AfterMove<kUs>(board, PieceType::kPawn, from, to);
  const Bitboard capturers = (Shift<1>(Bit(to)) | Shift<-1>(Bit(to))) & next.Of(~kUs, PieceType::kPawn);
  const Square target = Offset(from, Up(kUs));
  for (Square capturer : Squares(capturers)) {
    if (IsLegalEnPassant(next, capturer, target)) {
      next.en_passant = target;
      break;
    }
  }
  return next;
}

template <Color kUs>
inline Board AfterEnPassant(const Board& board, Square from) {
  const Square to = board.en_passant;
  Board next = AfterMove<kUs>(board, PieceType::kPawn, from, to);
  const Bitboard captured = Bit(Offset(to, -Up(kUs)));
  next.by_color[Index(~kUs)] ^= captured;
  next.by_type[Index(PieceType::kPawn)] ^= captured;
  return next;
}

template <Color kUs>
inline Board AfterCastling(const Board& board, Square king, Square rook) {
  const CastlingMove castling(king, rook);
  Board next = board;
  // The squares may overlap in Chess960: take both pieces off before either is put down.
  next.by_color[Index(kUs)] &= ~(Bit(king) | Bit(rook));
  next.by_color[Index(kUs)] |= Bit(castling.king_to) | Bit(castling.rook_to);
  next.by_type[Index(PieceType::kKing)] ^= Bit(king) ^ Bit(castling.king_to);
  next.by_type[Index(PieceType::kRook)] ^= Bit(rook) ^ Bit(castling.rook_to);
  next.castling_rooks &= ~board.by_color[Index(kUs)];
  next.en_passant = Square::kNone;
  next.side_to_move = ~kUs;
  return next;
}

// Any legal move. `type` is the piece on its origin.
template <Color kUs>
inline Board AfterAny(const Board& board, Move move, PieceType type) {
  switch (move.kind()) {
    case Move::Kind::kPromotion:
      return AfterMove<kUs>(board, move.promotion(), move.from(), move.to());
    case Move::Kind::kEnPassant:
      return AfterEnPassant<kUs>(board, move.from());
    case Move::Kind::kCastling:
      return AfterCastling<kUs>(board, move.from(), move.to());
    case Move::Kind::kNormal:
      break;
  }
  const bool double_push = type == PieceType::kPawn && (Index(move.from()) ^ Index(move.to())) == 16;
  return double_push ? AfterDoublePush<kUs>(board, move.from(), move.to())
                     : AfterMove<kUs>(board, type, move.from(), move.to());
}

inline Board After(const Board& board, Move move, PieceType type) {
  return board.side_to_move == Color::kWhite ? AfterAny<Color::kWhite>(board, move, type)
                                             : AfterAny<Color::kBlack>(board, move, type);
}
inline Board After(const Board& board, Move move) { return After(board, move, board.At(move.from()).type()); }

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_PLAY_H_
