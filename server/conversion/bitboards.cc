#include "server/conversion/bitboards.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/board/attacks/all_sliders.h"
#include "engine/board/attacks/attacks.h"
#include "engine/board/uci_move.h"
#include "server/conversion/common.h"
#include "server/conversion/position.h"
#include "server/errors/errors.h"

namespace kibitz::server {
namespace {

// The piece whose attacks are asked for: the one named, else the one that stands on the square.
absl::StatusOr<Piece> ParsePiece(const v1::BitboardsRequest& wire, const Position& position, Square square) {
  if (!v1::PieceType_IsValid(wire.piece())) return UnknownEnumValue("piece", wire.piece());
  if (!v1::Color_IsValid(wire.color())) return UnknownEnumValue("color", wire.color());
  const Piece there = position.PieceOn(square);
  PieceType type = there.type();
  Color color = there.IsNone() ? position.side_to_move() : there.color();
  if (wire.piece() != v1::PIECE_TYPE_UNSPECIFIED) {
    type = static_cast<PieceType>(wire.piece() - v1::PIECE_TYPE_PAWN);
  }
  if (wire.color() != v1::COLOR_UNSPECIFIED) color = wire.color() == v1::COLOR_WHITE ? Color::kWhite : Color::kBlack;
  if (type == PieceType::kNone) {
    return InvalidField(
        "square", "EMPTY_SQUARE",
        absl::StrCat("there is no piece on ", wire.square(), ": say by `piece` whose attacks you want"));
  }
  return Piece(color, type);
}

void WriteAttacks(const BitboardsSpec& spec, v1::BitboardsResponse& response) {
  const auto add = [&](const char* method, Bitboard squares) {
    auto* attacks = response.add_attacks();
    attacks->set_method(method);
    attacks->set_squares(squares);
  };
  const PieceType type = spec.piece.type();
  switch (type) {
    case PieceType::kPawn:
      return add("lookup", PawnAttacks(spec.piece.color(), spec.square));
    case PieceType::kKnight:
      return add("lookup", KnightAttacks(spec.square));
    case PieceType::kKing:
      return add("lookup", KingAttacks(spec.square));
    default:
      break;
  }
  const Bitboard occupied = spec.position.board().Occupied();
  ForEachSlider([&](auto method) {
    Bitboard squares = 0;
    if (type != PieceType::kRook) squares |= method.Bishop(spec.square, occupied);
    if (type != PieceType::kBishop) squares |= method.Rook(spec.square, occupied);
    add(method.kName, squares);
  });
}

}  // namespace

absl::StatusOr<BitboardsSpec> ParseBitboards(const v1::BitboardsRequest& wire) {
  absl::StatusOr<Position> position = ParsePosition(wire.position());
  if (!position.ok()) return position.status();
  BitboardsSpec spec{*std::move(position), Square::kNone, Piece()};
  if (wire.square().empty()) {
    if (wire.piece() == v1::PIECE_TYPE_UNSPECIFIED && wire.color() == v1::COLOR_UNSPECIFIED) return spec;
    return InvalidField("square", "MISSING_FIELD", "is needed with `piece` or `color`");
  }
  const std::optional<Square> square = ParseSquare(wire.square());
  if (!square) {
    return InvalidField("square", "INVALID_SQUARE",
                        absl::StrCat("\"", Printable(wire.square()), "\" is not a square, such as d4"));
  }
  const absl::StatusOr<Piece> piece = ParsePiece(wire, spec.position, *square);
  if (!piece.ok()) return piece.status();
  spec.square = *square;
  spec.piece = *piece;
  return spec;
}

void WriteBitboards(const BitboardsSpec& spec, v1::BitboardsResponse& response) {
  const Board& board = spec.position.board();
  for (const Color color : {Color::kWhite, Color::kBlack}) {
    for (int type = 0; type < kNumPieceTypes; ++type) {
      auto* set = response.add_pieces();
      set->set_color(ToWire(color));
      set->set_piece(ToWire(static_cast<PieceType>(type)));
      set->set_squares(board.Of(color, static_cast<PieceType>(type)));
    }
  }
  response.set_white(board.Of(Color::kWhite));
  response.set_black(board.Of(Color::kBlack));
  response.set_occupied(board.Occupied());
  response.set_checkers(board.Checkers());
  response.set_pinned(board.Pinned());
  if (spec.square != Square::kNone) WriteAttacks(spec, response);
}

}  // namespace kibitz::server
