#include "engine/book/polyglot_key.h"

#include "engine/board/bitboard.h"
#include "engine/board/board.h"
#include "engine/book/polyglot_words.h"

namespace kibitz {
namespace {

using polyglot::kWords;

Key WordOf(Color color, PieceType type, Square square) {
  const int piece = 2 * Index(type) + (color == Color::kWhite ? 1 : 0);
  return kWords[polyglot::kPieceWords + kNumSquares * piece + Index(square)];
}

Key EnPassantWord(int file) { return kWords[polyglot::kEnPassantWords + file]; }

// Whether the pawn on `pawn` may just have come by a double step that an enemy pawn could answer en passant if its king
// allowed it, which it does not.
bool HasForbiddenEnPassant(const Position& position, Square pawn) {
  const Color us = position.side_to_move();
  const Square target = Offset(pawn, Up(us));
  const Bitboard beside = (Shift<1>(Bit(pawn)) | Shift<-1>(Bit(pawn))) & position.board().Of(us, PieceType::kPawn);
  if (beside == 0) return false;
  Setup setup = {.board = position.board(), .variant = position.variant()};
  setup.board.en_passant = target;
  // FromSetup refuses a step that cannot have happened, and drops a capture that is not legal.
  const absl::StatusOr<Position> with_step = Position::FromSetup(setup);
  return with_step.ok() && with_step->board().en_passant == Square::kNone;
}

}  // namespace

Key PolyglotKey(const Position& position) {
  const Board& board = position.board();
  Key key = position.side_to_move() == Color::kWhite ? kWords[polyglot::kWhiteToMoveWord] : 0;
  for (Color color : {Color::kWhite, Color::kBlack}) {
    for (int type = 0; type < kNumPieceTypes; ++type) {
      for (Square square : Squares(board.Of(color) & board.by_type[type])) {
        key ^= WordOf(color, static_cast<PieceType>(type), square);
      }
    }
  }
  for (int right = 0; right < 4; ++right) {
    if (board.Rights() & 1 << right) key ^= kWords[polyglot::kCastlingWords + right];
  }
  if (board.en_passant != Square::kNone) key ^= EnPassantWord(FileOf(board.en_passant));
  return key;
}

std::vector<Key> PolyglotKeys(const Position& position) {
  const Board& board = position.board();
  std::vector<Key> keys = {PolyglotKey(position)};
  if (board.en_passant != Square::kNone) return keys;
  const Color them = ~position.side_to_move();
  for (Square pawn : Squares(board.Of(them, PieceType::kPawn))) {
    if (RelativeRank(them, RankOf(pawn)) == 3 && HasForbiddenEnPassant(position, pawn)) {
      keys.push_back(keys.front() ^ EnPassantWord(FileOf(pawn)));
    }
  }
  return keys;
}

}  // namespace kibitz
