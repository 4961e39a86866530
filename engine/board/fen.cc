#include "engine/board/fen.h"

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/board/letters.h"
#include "engine/board/quote.h"
#include "engine/board/uci_move.h"

namespace kibitz {
namespace {

constexpr int kMaxClock = 99'999;

template <typename... Parts>
absl::Status Fault(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

absl::Status ReadRank(absl::string_view text, int rank, Board& board) {
  int file = 0;
  bool after_digit = false;
  for (char c : text) {
    const bool digit = c >= '1' && c <= '8';
    if (digit && after_digit) return Fault("rank ", rank + 1, " (", Quote(text), ") has two digits in a row");
    after_digit = digit;
    if (digit) {
      file += c - '0';
    } else if (const std::optional<Piece> piece = PieceOfLetter(c)) {
      if (file < 8) {
        const Bitboard bit = Bit(MakeSquare(file, rank));
        board.by_color[Index(piece->color())] |= bit;
        board.by_type[Index(piece->type())] |= bit;
      }
      ++file;
    } else {
      return Fault("rank ", rank + 1, " has ", Quote({&c, 1}), ": only PNBRQK, pnbrqk and 1 to 8 may stand there");
    }
    if (file > 8) return Fault("rank ", rank + 1, " (", Quote(text), ") has more than 8 squares");
  }
  if (file < 8) return Fault("rank ", rank + 1, " (", Quote(text), ") has ", file, " squares instead of 8");
  return absl::OkStatus();
}

absl::Status ReadPlacement(absl::string_view text, Board& board) {
  const std::vector<absl::string_view> ranks = absl::StrSplit(text, '/');
  if (ranks.size() != 8) return Fault("the board has ", ranks.size(), " ranks instead of 8");
  for (int i = 0; i < 8; ++i) {
    if (absl::Status status = ReadRank(ranks[i], 7 - i, board); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status ReadSide(absl::string_view text, Board& board) {
  if (text != "w" && text != "b") return Fault("the side to move is ", Quote(text), " instead of w or b");
  board.side_to_move = text == "w" ? Color::kWhite : Color::kBlack;
  return absl::OkStatus();
}

// The rook that a castling letter means: for K and Q the outermost of that side, else the one on the letter's file.
std::optional<Square> FindCastlingRook(const Setup& setup, Color color, char upper) {
  const Board& board = setup.board;
  const Bitboard kings = board.Of(color, PieceType::kKing) & RelativeRankMask(color, 0);
  if (kings == 0) return std::nullopt;
  const Bitboard rooks = board.Of(color, PieceType::kRook) & RelativeRankMask(color, 0);
  const Bitboard lower = (kings & -kings) - 1;
  Bitboard candidates;
  if (upper == 'K' || upper == 'Q') {
    candidates = upper == 'K' ? rooks & ~lower : rooks & lower;
    if (setup.variant == Variant::kStandard) candidates &= upper == 'K' ? kFileH : kFileA;
  } else {
    candidates = rooks & FileMask(upper - 'A');
  }
  if (candidates == 0) return std::nullopt;
  return upper == 'K' ? SquareAt(63 - std::countl_zero(candidates)) : First(candidates);
}

absl::Status ReadCastling(absl::string_view text, Setup& setup) {
  if (text == "-") return absl::OkStatus();
  if (text.size() > 4) return Fault("the castling field ", Quote(text), " is too long");
  for (char c : text) {
    const bool black = c >= 'a' && c <= 'z';
    const Color color = black ? Color::kBlack : Color::kWhite;
    const char upper = black ? static_cast<char>(c - 'a' + 'A') : c;
    const bool file_letter = upper >= 'A' && upper <= 'H';
    if (upper != 'K' && upper != 'Q' && !file_letter) {
      return Fault("the castling field has ", Quote({&c, 1}), ": write some of KQkq, or -");
    }
    if (file_letter && setup.variant == Variant::kStandard) {
      return Fault("the castling field has ", Quote({&c, 1}), ", which is for Chess960: write some of KQkq, or -");
    }
    const std::optional<Square> rook = FindCastlingRook(setup, color, upper);
    if (!rook) return Fault("castling right ", Quote({&c, 1}), " without a king and a rook in place");
    if (Contains(setup.board.castling_rooks, *rook)) {
      return Fault("castling right ", Quote({&c, 1}), " is given twice");
    }
    setup.board.castling_rooks |= Bit(*rook);
  }
  return absl::OkStatus();
}

absl::Status ReadEnPassant(absl::string_view text, Board& board) {
  if (text == "-") return absl::OkStatus();
  const std::optional<Square> square = ParseSquare(text);
  if (!square) return Fault("the en-passant field is ", Quote(text), " instead of a square such as e3, or -");
  board.en_passant = *square;
  return absl::OkStatus();
}

absl::Status ReadClock(absl::string_view name, absl::string_view text, int& clock) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == absl::string_view::npos;
  if (!digits || text.size() > 9 || !absl::SimpleAtoi(text, &clock) || clock > kMaxClock) {
    return Fault("the ", name, " is ", Quote(text), " instead of a number from 0 to ", kMaxClock);
  }
  return absl::OkStatus();
}

std::string CastlingField(const Position& position, CastlingNotation notation) {
  const Board& board = position.board();
  std::string field;
  for (Color color : {Color::kWhite, Color::kBlack}) {
    const Bitboard rights = board.castling_rooks & board.Of(color);
    if (rights == 0) continue;
    const Bitboard rooks = board.Of(color, PieceType::kRook) & RelativeRankMask(color, 0);
    const Bitboard lower = board.Of(color, PieceType::kKing) - 1;
    const auto add = [&](char letter) {
      field += color == Color::kWhite ? letter : static_cast<char>(letter - 'A' + 'a');
    };
    for (bool kingside : {true, false}) {
      const Bitboard right = kingside ? rights & ~lower : rights & lower;
      if (right == 0) continue;
      const Bitboard beyond = kingside ? rooks & ~(right | (right - 1)) : rooks & (right - 1);
      const bool outermost = beyond == 0;
      const bool by_file =
          position.variant() == Variant::kChess960 && (notation == CastlingNotation::kShredder || !outermost);
      add(by_file ? static_cast<char>('A' + FileOf(First(right))) : kingside ? 'K' : 'Q');
    }
  }
  return field.empty() ? "-" : field;
}

}  // namespace

absl::StatusOr<Position> ParseFen(absl::string_view fen, Variant variant) {
  const std::vector<absl::string_view> fields = absl::StrSplit(fen, absl::ByAnyChar(" \t"), absl::SkipEmpty());
  if (fields.size() != 4 && fields.size() != 6) {
    return Fault("a FEN has 4 or 6 fields, this one has ", fields.size());
  }
  Setup setup;
  setup.variant = variant;
  absl::Status status = ReadPlacement(fields[0], setup.board);
  if (status.ok()) status = ReadSide(fields[1], setup.board);
  if (status.ok()) status = ReadCastling(fields[2], setup);
  if (status.ok()) status = ReadEnPassant(fields[3], setup.board);
  if (status.ok() && fields.size() == 6) {
    status = ReadClock("halfmove clock", fields[4], setup.halfmove_clock);
    if (status.ok()) status = ReadClock("move number", fields[5], setup.fullmove_number);
  }
  if (!status.ok()) return status;
  return Position::FromSetup(setup);
}

std::string ToFen(const Position& position, CastlingNotation notation) {
  std::string fen;
  for (int rank = 7; rank >= 0; --rank) {
    int empty = 0;
    const auto flush = [&] {
      if (empty > 0) fen += static_cast<char>('0' + empty);
      empty = 0;
    };
    for (int file = 0; file < 8; ++file) {
      const Piece piece = position.PieceOn(MakeSquare(file, rank));
      if (piece.IsNone()) {
        ++empty;
        continue;
      }
      flush();
      fen += LetterOf(piece);
    }
    flush();
    if (rank > 0) fen += '/';
  }
  absl::StrAppend(&fen, position.side_to_move() == Color::kWhite ? " w " : " b ", CastlingField(position, notation),
                  " ", ToString(position.board().en_passant), " ", position.halfmove_clock(), " ",
                  position.fullmove_number());
  return fen;
}

}  // namespace kibitz
