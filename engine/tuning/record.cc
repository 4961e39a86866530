#include "engine/tuning/record.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "absl/status/status.h"
#include "engine/board/bitboard.h"
#include "engine/board/board.h"

namespace kibitz::tuning {
namespace {

static_assert(std::endian::native == std::endian::little);

// The pawn that has just passed the square where it may be taken.
Square PassingPawn(const Board& board) {
  return board.en_passant == Square::kNone ? Square::kNone : Offset(board.en_passant, -Up(board.side_to_move));
}

std::uint8_t CodeOf(const Board& board, Square square) {
  const Piece piece = board.At(square);
  if (square == PassingPawn(board)) return Record::kPassingPawn;
  const bool white = piece.color() == Color::kWhite;
  if ((board.castling_rooks & Bit(square)) != 0) return white ? Record::kWhiteCastlingRook : Record::kBlackCastlingRook;
  return static_cast<std::uint8_t>((white ? Record::kWhitePieces : Record::kBlackPieces) + Index(piece.type()));
}

}  // namespace

void Record::SetHalfPoints(int half_points) { flags = static_cast<std::uint8_t>((flags & ~3) | half_points); }

void Record::SetQuiet(bool quiet) { flags = static_cast<std::uint8_t>((flags & ~kLoud) | (quiet ? 0 : kLoud)); }

Record Pack(const Position& position, const Label& label) {
  const Board& board = position.board();
  Record record;
  record.occupied = board.Occupied();
  int piece = 0;
  for (Bitboard rest = record.occupied; rest != 0; ++piece) {
    const Square square = PopFirst(rest);
    record.pieces[static_cast<std::size_t>(piece / 2)] |=
        static_cast<std::uint8_t>(CodeOf(board, square) << (piece % 2 * 4));
  }
  record.value = static_cast<std::int16_t>(std::clamp(label.value, -Record::kMaxValue, Record::kMaxValue));
  record.fullmove_number = static_cast<std::uint16_t>(std::min(position.fullmove_number(), 65'535));
  record.halfmove_clock = static_cast<std::uint8_t>(std::min(position.halfmove_clock(), 255));
  record.side_to_move = static_cast<std::uint8_t>(position.side_to_move());
  record.variant = static_cast<std::uint8_t>(position.variant());
  record.flags = static_cast<std::uint8_t>(static_cast<int>(label.origin) << 2);
  record.SetHalfPoints(label.result ? static_cast<int>(std::lround(*label.result * 2)) : Record::kNoResult);
  return record;
}

Label LabelOf(const Record& record) {
  Label label{.value = record.value, .result = {}, .origin = static_cast<Origin>(record.flags >> 2 & 1)};
  if (record.HalfPoints() != Record::kNoResult) label.result = record.HalfPoints() / 2.0;
  return label;
}

absl::StatusOr<Position> Unpack(const Record& record) {
  if (std::popcount(record.occupied) > 32 || record.side_to_move > 1 || record.variant > 1) {
    return absl::InvalidArgumentError("is not a record of a position");
  }
  Setup setup;
  Board& board = setup.board;
  board.side_to_move = static_cast<Color>(record.side_to_move);
  setup.variant = static_cast<Variant>(record.variant);
  setup.halfmove_clock = record.halfmove_clock;
  setup.fullmove_number = record.fullmove_number;
  int piece = 0;
  for (Bitboard rest = record.occupied; rest != 0; ++piece) {
    const Square square = PopFirst(rest);
    const int code = record.CodeAt(piece);
    Color color = code < Record::kBlackPieces ? Color::kWhite : Color::kBlack;
    PieceType type = static_cast<PieceType>(code % Record::kBlackPieces);
    switch (code) {
      case Record::kWhiteCastlingRook:
      case Record::kBlackCastlingRook:
        color = code == Record::kWhiteCastlingRook ? Color::kWhite : Color::kBlack;
        type = PieceType::kRook;
        board.castling_rooks |= Bit(square);
        break;
      case Record::kPassingPawn:
        color = ~board.side_to_move;
        type = PieceType::kPawn;
        if (RankOf(square) < 1 || RankOf(square) > 6) return absl::InvalidArgumentError("has a pawn on the last rank");
        board.en_passant = Offset(square, Up(board.side_to_move));
        break;
      case 15:
        return absl::InvalidArgumentError("has an unknown piece");
      default:
        break;
    }
    board.by_color[Index(color)] |= Bit(square);
    board.by_type[Index(type)] |= Bit(square);
  }
  return Position::FromSetup(setup);
}

}  // namespace kibitz::tuning
