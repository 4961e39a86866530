#include "server/proto_conversion.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/san.h"
#include "engine/board/uci_move.h"
#include "server/grpc_status.h"

namespace kibitz::server {
namespace {

absl::StatusOr<Variant> ParseVariant(v1::Variant wire) {
  switch (wire) {
    case v1::VARIANT_UNSPECIFIED:
    case v1::VARIANT_STANDARD:
      return Variant::kStandard;
    case v1::VARIANT_CHESS960:
      return Variant::kChess960;
    default:
      return InvalidField("position.variant", "UNKNOWN_ENUM_VALUE",
                          absl::StrCat("there is no variant ", static_cast<int>(wire)));
  }
}

absl::Status PlayMoves(const v1::Position& wire, Position& position) {
  if (wire.moves_size() > kMaxGameMoves) {
    return InvalidField("position.moves", "TOO_MANY_MOVES",
                        absl::StrCat("has ", wire.moves_size(), " moves; at most ", kMaxGameMoves, " are allowed"));
  }
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

v1::Color ToWire(Color color) { return color == Color::kWhite ? v1::COLOR_WHITE : v1::COLOR_BLACK; }

v1::PieceType ToWire(PieceType type) {
  return type == PieceType::kNone ? v1::PIECE_TYPE_UNSPECIFIED : static_cast<v1::PieceType>(Index(type) + 1);
}

v1::GameStatus ToWire(GameStatus status) {
  return static_cast<v1::GameStatus>(static_cast<int>(status) + v1::GAME_STATUS_ONGOING);
}

PieceType Captured(const Position& position, Move move) {
  if (move.kind() == Move::Kind::kEnPassant) return PieceType::kPawn;
  if (move.kind() == Move::Kind::kCastling) return PieceType::kNone;
  return position.PieceOn(move.to()).type();
}

void ToWire(const Position& position, Move move, std::string uci, v1::Move& wire) {
  std::string san = ToSan(position, move);
  wire.set_checkmate(san.back() == '#');
  wire.set_check(san.back() == '+' || san.back() == '#');
  wire.set_uci(std::move(uci));
  wire.set_san(std::move(san));
  wire.set_piece(ToWire(position.PieceOn(move.from()).type()));
  wire.set_captured(ToWire(Captured(position, move)));
  wire.set_promotion(ToWire(move.promotion()));
  wire.set_castling(move.kind() == Move::Kind::kCastling);
  wire.set_en_passant(move.kind() == Move::Kind::kEnPassant);
}

}  // namespace

absl::StatusOr<Position> ParsePosition(const v1::Position& wire) {
  const absl::StatusOr<Variant> variant = ParseVariant(wire.variant());
  if (!variant.ok()) return variant.status();
  absl::StatusOr<Position> position = ParseFen(wire.fen().empty() ? kStartFen : wire.fen(), *variant);
  if (!position.ok()) return InvalidField("position.fen", "INVALID_FEN", position.status().message());
  if (absl::Status played = PlayMoves(wire, *position); !played.ok()) return played;
  return position;
}

void ToWire(const Position& position, v1::LegalMovesResponse& response) {
  std::vector<std::pair<std::string, Move>> moves;
  for (const Move move : LegalMoves(position)) moves.emplace_back(ToUci(move, position.variant()), move);
  std::sort(moves.begin(), moves.end(), [](const auto& a, const auto& b) { return a.first < b.first; });

  response.set_fen(ToFen(position));
  response.mutable_moves()->Reserve(static_cast<int>(moves.size()));
  for (auto& [uci, move] : moves) ToWire(position, move, std::move(uci), *response.add_moves());
  response.set_status(ToWire(position.Status()));
  response.set_in_check(position.InCheck());
  response.set_side_to_move(ToWire(position.side_to_move()));
  response.set_repetitions(position.Repetitions());
}

}  // namespace kibitz::server
