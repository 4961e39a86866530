#include "engine/board/movegen.h"

#include "engine/board/generator.h"

namespace kibitz {
namespace {

constexpr PieceType kPromotionTypes[] = {PieceType::kQueen, PieceType::kKnight, PieceType::kRook, PieceType::kBishop};

class ListingSink {
 public:
  ListingSink(const Board& board, MoveList& moves) : en_passant_(board.en_passant), moves_(moves) {}

  template <PieceType>
  void Moves(Square from, Bitboard targets) {
    for (Square to : Squares(targets)) moves_.Add(Move(from, to));
  }
  template <int kDelta>
  void PawnMoves(Bitboard targets) {
    for (Square to : Squares(targets)) moves_.Add(Move(Offset(to, -kDelta), to));
  }
  template <int kDelta>
  void Promotions(Bitboard targets) {
    for (Square to : Squares(targets)) {
      for (PieceType type : kPromotionTypes) moves_.Add(Move::Promotion(Offset(to, -kDelta), to, type));
    }
  }
  void EnPassant(Square from) { moves_.Add(Move(from, en_passant_, Move::Kind::kEnPassant)); }
  void Castle(Square king, Square rook) { moves_.Add(Move(king, rook, Move::Kind::kCastling)); }

 private:
  const Square en_passant_;
  MoveList& moves_;
};

template <MoveSet kSet>
void List(const Board& board, MoveList& moves) {
  ListingSink sink(board, moves);
  board.side_to_move == Color::kWhite ? Generate<Color::kWhite, kSet>(board, sink)
                                      : Generate<Color::kBlack, kSet>(board, sink);
}

}  // namespace

MoveList LegalMoves(const Board& board) {
  MoveList moves;
  List<MoveSet::kAll>(board, moves);
  return moves;
}

int CountLegalMoves(const Board& board) {
  return board.side_to_move == Color::kWhite ? CountMoves<Color::kWhite>(board) : CountMoves<Color::kBlack>(board);
}

void GenerateCaptures(const Board& board, MoveList& moves) { List<MoveSet::kCaptures>(board, moves); }
void GenerateQuiets(const Board& board, MoveList& moves) { List<MoveSet::kQuiets>(board, moves); }
void GenerateEvasions(const Board& board, MoveList& moves) { List<MoveSet::kAll>(board, moves); }

}  // namespace kibitz
