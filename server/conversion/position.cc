#include "server/conversion/position.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/san.h"
#include "engine/board/uci_move.h"
#include "server/conversion/common.h"
#include "server/errors/errors.h"

namespace kibitz::server {
namespace {

// "e7e8q".
constexpr std::size_t kMaxUciSize = 5;

absl::StatusOr<Variant> ParseVariant(v1::Variant wire) {
  switch (wire) {
    case v1::VARIANT_UNSPECIFIED:
    case v1::VARIANT_STANDARD:
      return Variant::kStandard;
    case v1::VARIANT_CHESS960:
      return Variant::kChess960;
    default:
      return UnknownEnumValue("position.variant", wire);
  }
}

absl::Status PlayMoves(const v1::Position& wire, Position& position) {
  for (int i = 0; i < wire.moves_size(); ++i) {
    const absl::StatusOr<Move> move = ParseUciMove(position, wire.moves(i));
    if (!move.ok()) {
      return InvalidField(absl::StrCat("position.moves[", i, "]"), "ILLEGAL_MOVE", move.status().message());
    }
    position.MakeMove(*move);
    position.ForgetUndo();
  }
  return absl::OkStatus();
}

PieceType Captured(const Position& position, Move move) {
  if (move.kind() == Move::Kind::kEnPassant) return PieceType::kPawn;
  if (move.kind() == Move::Kind::kCastling) return PieceType::kNone;
  return position.PieceOn(move.to()).type();
}

void WriteMove(const Position& position, Move move, const MoveList& legal, v1::Move& wire) {
  wire.set_uci(ToUci(move, position.variant()));
  wire.set_san(ToSan(position, move, legal));
  const char sign = wire.san().back();
  wire.set_check(sign == '+' || sign == '#');
  wire.set_checkmate(sign == '#');
  wire.set_piece(ToWire(position.PieceOn(move.from()).type()));
  wire.set_captured(ToWire(Captured(position, move)));
  wire.set_promotion(ToWire(move.promotion()));
  wire.set_castling(move.kind() == Move::Kind::kCastling);
  wire.set_en_passant(move.kind() == Move::Kind::kEnPassant);
}

// Sorts numbers that begin with the letters of the text: sorting the texts would take longer than finding the moves.
MoveList SortedByUci(const MoveList& moves, Variant variant) {
  std::array<std::uint64_t, kMaxMoves> keys;
  auto* end = keys.begin();
  for (const Move move : moves) {
    std::uint64_t key = 0;
    const std::string uci = ToUci(move, variant);
    for (std::size_t i = 0; i < kMaxUciSize; ++i) key = key << 8 | (i < uci.size() ? uci[i] : 0);
    *end++ = key << 16 | move.bits();
  }
  std::sort(keys.begin(), end);
  MoveList sorted;
  for (const auto* key = keys.begin(); key != end; ++key) {
    sorted.Add(Move::FromBits(static_cast<std::uint16_t>(*key & 0xffff)));
  }
  return sorted;
}

}  // namespace

absl::StatusOr<Position> ParsePosition(const v1::Position& wire) {
  const absl::StatusOr<Variant> variant = ParseVariant(wire.variant());
  if (!variant.ok()) return variant.status();
  if (wire.moves_size() > kMaxGameMoves) {
    return InvalidField("position.moves", "TOO_MANY_MOVES",
                        absl::StrCat(wire.moves_size(), " moves are too many: the bound is ", kMaxGameMoves));
  }
  absl::StatusOr<Position> position = ParseFen(wire.fen().empty() ? kStartFen : wire.fen(), *variant);
  if (!position.ok()) return InvalidField("position.fen", "INVALID_FEN", position.status().message());
  if (absl::Status played = PlayMoves(wire, *position); !played.ok()) return played;
  return position;
}

std::string PositionName(const Position& position) {
  const bool chess960 = position.variant() == Variant::kChess960;
  const std::string fen = ToFen(position, chess960 ? CastlingNotation::kShredder : CastlingNotation::kXFen);
  const std::size_t clocks = fen.rfind(' ', fen.rfind(' ') - 1);
  return absl::StrCat(chess960 ? "chess960 " : "", fen.substr(0, clocks));
}

void WriteLegalMoves(const Position& position, v1::LegalMovesResponse& response) {
  const MoveList legal = LegalMoves(position);
  response.set_fen(ToFen(position));
  response.mutable_moves()->Reserve(legal.size());
  for (const Move move : SortedByUci(legal, position.variant())) {
    WriteMove(position, move, legal, *response.add_moves());
  }
  response.set_status(ToWire(position.Status()));
  response.set_in_check(position.InCheck());
  response.set_side_to_move(ToWire(position.side_to_move()));
  response.set_repetitions(position.Repetitions());
}

v1::GameStatus ToWire(GameStatus status) {
  return static_cast<v1::GameStatus>(static_cast<int>(status) + v1::GAME_STATUS_ONGOING);
}

v1::Color ToWire(Color color) { return color == Color::kWhite ? v1::COLOR_WHITE : v1::COLOR_BLACK; }

v1::PieceType ToWire(PieceType type) {
  return type == PieceType::kNone ? v1::PIECE_TYPE_UNSPECIFIED
                                  : static_cast<v1::PieceType>(Index(type) + v1::PIECE_TYPE_PAWN);
}

}  // namespace kibitz::server
