#include "engine/board/uci_move.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/board/attacks/attacks.h"
#include "engine/board/letters.h"
#include "engine/board/movegen.h"
#include "engine/board/quote.h"

namespace kibitz {
namespace {

constexpr absl::string_view kPromotionLetters = "nbrq";

// Four or five characters: two squares, and what a pawn becomes.
struct UciText {
  Square from;
  Square to;
  PieceType promotion = PieceType::kNone;
};

std::optional<UciText> ReadUciText(absl::string_view text) {
  if (text.size() != 4 && text.size() != 5) return std::nullopt;
  const std::optional<Square> from = ParseSquare(text.substr(0, 2));
  const std::optional<Square> to = ParseSquare(text.substr(2, 2));
  if (!from || !to) return std::nullopt;
  UciText read{*from, *to};
  if (text.size() == 5) {
    const std::size_t letter = kPromotionLetters.find(text[4]);
    if (letter == absl::string_view::npos) return std::nullopt;
    read.promotion = static_cast<PieceType>(Index(PieceType::kKnight) + static_cast<int>(letter));
  }
  return read;
}

bool Means(const UciText& text, Move move, Variant variant) {
  if (text.from != move.from() || text.promotion != move.promotion()) return false;
  if (text.to == move.to()) return true;
  return move.kind() == Move::Kind::kCastling && variant == Variant::kStandard &&
         text.to == CastlingMove(move.from(), move.to()).king_to;
}

// Whether the piece could make the move if its king were in no danger. Castling is left out.
bool Reaches(const Board& board, Piece piece, const UciText& text) {
  const Bitboard occupied = board.Occupied();
  if (piece.type() != PieceType::kPawn) {
    return Contains(AttacksFrom(piece.type(), text.from, occupied) & ~board.Of(piece.color()), text.to);
  }
  if (FileOf(text.from) != FileOf(text.to)) {
    return Contains(PawnAttacks(piece.color(), text.from), text.to) &&
           (text.to == board.en_passant || Contains(board.Of(~piece.color()), text.to));
  }
  const int up = Up(piece.color());
  const bool from_home = RelativeRank(piece.color(), RankOf(text.from)) == 1;
  return !Contains(occupied, text.to) &&
         (Offset(text.from, up) == text.to ||
          (from_home && Offset(text.from, 2 * up) == text.to && !Contains(occupied, Offset(text.from, up))));
}

std::string WhyNot(const Position& position, const UciText& text) {
  const Piece piece = position.PieceOn(text.from);
  if (piece.IsNone()) return absl::StrCat("there is no piece on ", ToString(text.from));
  if (piece.color() != position.side_to_move()) {
    return absl::StrCat("the piece on ", ToString(text.from), " is the opponent's");
  }
  const bool last_rank = RelativeRank(piece.color(), RankOf(text.to)) == 7;
  if (piece.type() == PieceType::kPawn && last_rank && text.promotion == PieceType::kNone) {
    return "it lacks the piece to promote to, as in e7e8q";
  }
  if (text.promotion != PieceType::kNone && !(piece.type() == PieceType::kPawn && last_rank)) {
    return "only a pawn that reaches the last rank promotes";
  }
  if (!Reaches(position.board(), piece, text)) return "the piece cannot go there";
  return position.InCheck() ? "it does not answer the check" : "it would leave the king in check";
}

}  // namespace

std::string ToString(Square square) {
  if (square == Square::kNone) return "-";
  return {FileLetter(square), RankDigit(square)};
}

std::optional<Square> ParseSquare(absl::string_view text) {
  if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8') return std::nullopt;
  return MakeSquare(text[0] - 'a', text[1] - '1');
}

std::string ToUci(Move move, Variant variant) {
  if (move.IsNone()) return "0000";
  Square to = move.to();
  if (move.kind() == Move::Kind::kCastling && variant == Variant::kStandard) {
    to = CastlingMove(move.from(), move.to()).king_to;
  }
  std::string text = {FileLetter(move.from()), RankDigit(move.from()), FileLetter(to), RankDigit(to)};
  if (move.kind() == Move::Kind::kPromotion) {
    text += kPromotionLetters[Index(move.promotion()) - Index(PieceType::kKnight)];
  }
  return text;
}

absl::StatusOr<Move> ParseUciMove(const Position& position, absl::string_view text) {
  const std::optional<UciText> read = ReadUciText(text);
  if (!read) {
    return absl::InvalidArgumentError(
        absl::StrCat(Quote(text), " is not a move in UCI notation, such as e2e4 or e7e8q"));
  }
  for (Move move : LegalMoves(position)) {
    if (Means(*read, move, position.variant())) return move;
  }
  return absl::InvalidArgumentError(absl::StrCat(Quote(text), " is not legal here: ", WhyNot(position, *read)));
}

}  // namespace kibitz
