#include "engine/board/san.h"

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/board/attacks/attacks.h"
#include "engine/board/letters.h"
#include "engine/board/movegen.h"
#include "engine/board/play.h"
#include "engine/board/quote.h"
#include "engine/board/uci_move.h"

namespace kibitz {
namespace {

// The shortest text that tells a piece from others of its kind that could go to the same square: file, else rank, else
// both.
std::string Disambiguation(const Position& position, Move move, const MoveList& legal) {
  const Board& board = position.board();
  const PieceType type = position.PieceOn(move.from()).type();
  const Bitboard same_kind = board.Of(board.side_to_move, type) & ~Bit(move.from());
  const Bitboard reaching = AttacksFrom(type, move.to(), board.Occupied()) & same_kind;
  if (reaching == 0) return "";
  Bitboard rivals = 0;
  for (Move other : legal) {
    if (other.to() == move.to() && other.kind() != Move::Kind::kCastling) rivals |= Bit(other.from()) & reaching;
  }
  if (rivals == 0) return "";
  if ((rivals & FileMask(FileOf(move.from()))) == 0) return {FileLetter(move.from())};
  if ((rivals & RankMask(RankOf(move.from()))) == 0) return {RankDigit(move.from())};
  return ToString(move.from());
}

std::string WithoutCheckSign(const Position& position, Move move, const MoveList& legal) {
  if (move.kind() == Move::Kind::kCastling) {
    return CastlingMove(move.from(), move.to()).kingside ? "O-O" : "O-O-O";
  }
  const PieceType type = position.PieceOn(move.from()).type();
  std::string san;
  if (type == PieceType::kPawn) {
    if (position.IsCapture(move)) san += FileLetter(move.from());
  } else {
    san += LetterOf(type);
    san += Disambiguation(position, move, legal);
  }
  if (position.IsCapture(move)) san += 'x';
  san += FileLetter(move.to());
  san += RankDigit(move.to());
  if (move.kind() == Move::Kind::kPromotion) {
    san += '=';
    san += LetterOf(move.promotion());
  }
  return san;
}

// What a SAN text says: each part that is there must fit the move.
struct SanText {
  PieceType type = PieceType::kPawn;
  std::optional<int> from_file;
  std::optional<int> from_rank;
  Square to = Square::kNone;
  PieceType promotion = PieceType::kNone;
  bool capture = false;
};

bool IsFile(char c) { return c >= 'a' && c <= 'h'; }
bool IsRank(char c) { return c >= '1' && c <= '8'; }

// Reads from the back, because the destination comes last: [piece][file][rank][x]destination[=promotion].
std::optional<SanText> ReadSanText(absl::string_view text) {
  SanText read;
  const auto drop_back = [&] { text.remove_suffix(1); };
  if (!text.empty() && text.back() >= 'A' && text.back() <= 'Z') {
    const std::optional<PieceType> promotion = TypeOfLetter(text.back());
    if (!promotion || *promotion == PieceType::kPawn || *promotion == PieceType::kKing) return std::nullopt;
    read.promotion = *promotion;
    drop_back();
    if (!text.empty() && text.back() == '=') drop_back();
  }
  if (text.size() < 2) return std::nullopt;
  const std::optional<Square> to = ParseSquare(text.substr(text.size() - 2));
  if (!to) return std::nullopt;
  read.to = *to;
  text.remove_suffix(2);
  if (!text.empty() && text.back() == 'x') {
    read.capture = true;
    drop_back();
  }
  if (!text.empty() && IsRank(text.back())) {
    read.from_rank = text.back() - '1';
    drop_back();
  }
  if (!text.empty() && IsFile(text.back())) {
    read.from_file = text.back() - 'a';
    drop_back();
  }
  if (!text.empty()) {
    const std::optional<PieceType> type = TypeOfLetter(text.back());
    if (!type) return std::nullopt;
    read.type = *type;
    drop_back();
  }
  if (!text.empty()) return std::nullopt;
  return read;
}

bool Fits(const SanText& text, const Position& position, Move move) {
  return move.kind() != Move::Kind::kCastling && move.to() == text.to && move.promotion() == text.promotion &&
         position.PieceOn(move.from()).type() == text.type && position.IsCapture(move) == text.capture &&
         (!text.from_file || FileOf(move.from()) == *text.from_file) &&
         (!text.from_rank || RankOf(move.from()) == *text.from_rank);
}

absl::StatusOr<Move> FindCastling(const MoveList& legal, bool kingside, absl::string_view text) {
  for (Move move : legal) {
    if (move.kind() == Move::Kind::kCastling && CastlingMove(move.from(), move.to()).kingside == kingside) return move;
  }
  return absl::InvalidArgumentError(absl::StrCat(Quote(text), " is not legal here"));
}

}  // namespace

std::string ToSan(const Position& position, Move move) { return ToSan(position, move, LegalMoves(position)); }

std::string ToSan(const Position& position, Move move, const MoveList& legal) {
  std::string san = WithoutCheckSign(position, move, legal);
  if (position.GivesCheck(move)) san += CountLegalMoves(After(position.board(), move)) == 0 ? '#' : '+';
  return san;
}

absl::StatusOr<Move> ParseSan(const Position& position, absl::string_view text) {
  absl::string_view core = text;
  while (!core.empty() && absl::string_view("+#!?").find(core.back()) != absl::string_view::npos) core.remove_suffix(1);
  const MoveList legal = LegalMoves(position);
  if (core == "O-O" || core == "0-0") return FindCastling(legal, /*kingside=*/true, text);
  if (core == "O-O-O" || core == "0-0-0") return FindCastling(legal, /*kingside=*/false, text);

  const std::optional<SanText> read = ReadSanText(core);
  if (!read) {
    return absl::InvalidArgumentError(
        absl::StrCat(Quote(text), " is not a move in algebraic notation, such as Nf3, exd5 or e8=Q"));
  }
  std::vector<Move> fitting;
  for (Move move : legal) {
    if (Fits(*read, position, move)) fitting.push_back(move);
  }
  if (fitting.empty()) return absl::InvalidArgumentError(absl::StrCat(Quote(text), " is not legal here"));
  if (fitting.size() > 1) {
    const auto add_san = [&](std::string* out, Move move) { absl::StrAppend(out, ToSan(position, move, legal)); };
    return absl::InvalidArgumentError(
        absl::StrCat(Quote(text), " is ambiguous: ", absl::StrJoin(fitting, " or ", add_san)));
  }
  return fitting.front();
}

}  // namespace kibitz
