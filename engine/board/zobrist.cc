#include "engine/board/zobrist.h"

namespace kibitz::zobrist {

Key OfState(const Board& board) {
  Key key = board.side_to_move == Color::kBlack ? kWords.black_to_move : 0;
  for (Square rook : Squares(board.castling_rooks)) key ^= kWords.castling_rook[Index(rook)];
  if (board.en_passant != Square::kNone) key ^= kWords.en_passant_file[FileOf(board.en_passant)];
  return key;
}

Key Compute(const Board& board) {
  Key key = OfState(board);
  for (Color color : {Color::kWhite, Color::kBlack}) {
    for (int type = 0; type < kNumPieceTypes; ++type) {
      for (Square square : Squares(board.Of(color) & board.by_type[type])) {
        key ^= OfPiece(color, static_cast<PieceType>(type), square);
      }
    }
  }
  return key;
}

Key ComputePawns(const Board& board) {
  Key key = 0;
  for (Color color : {Color::kWhite, Color::kBlack}) {
    for (Square square : Squares(board.Of(color, PieceType::kPawn))) key ^= OfPiece(color, PieceType::kPawn, square);
  }
  return key;
}

}  // namespace kibitz::zobrist
