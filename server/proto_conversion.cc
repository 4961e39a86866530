#include "server/proto_conversion.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/board/attacks/all_sliders.h"
#include "engine/board/attacks/attacks.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/perft.h"
#include "engine/board/san.h"
#include "engine/board/uci_move.h"
#include "server/grpc_status.h"

namespace kibitz::server {
namespace {

// "e7e8q".
constexpr std::size_t kMaxUciSize = 5;

absl::Status UnknownValue(absl::string_view field, int value) {
  return InvalidField(field, "UNKNOWN_ENUM_VALUE", absl::StrCat(value, " is not a value of this enum"));
}

absl::StatusOr<Variant> ParseVariant(v1::Variant wire) {
  switch (wire) {
    case v1::VARIANT_UNSPECIFIED:
    case v1::VARIANT_STANDARD:
      return Variant::kStandard;
    case v1::VARIANT_CHESS960:
      return Variant::kChess960;
    default:
      return UnknownValue("position.variant", wire);
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

v1::Color ToWire(Color color) { return color == Color::kWhite ? v1::COLOR_WHITE : v1::COLOR_BLACK; }

v1::PieceType ToWire(PieceType type) {
  return type == PieceType::kNone ? v1::PIECE_TYPE_UNSPECIFIED
                                  : static_cast<v1::PieceType>(Index(type) + v1::PIECE_TYPE_PAWN);
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

// The man whose attacks are asked for: the one named, else the one that stands on the square.
absl::StatusOr<Piece> ParseMan(const v1::BitboardsRequest& wire, const Position& position, Square square) {
  if (!v1::PieceType_IsValid(wire.piece())) return UnknownValue("piece", wire.piece());
  if (!v1::Color_IsValid(wire.color())) return UnknownValue("color", wire.color());
  const Piece there = position.PieceOn(square);
  PieceType type = there.type();
  Color color = there.IsNone() ? position.side_to_move() : there.color();
  if (wire.piece() != v1::PIECE_TYPE_UNSPECIFIED) {
    type = static_cast<PieceType>(wire.piece() - v1::PIECE_TYPE_PAWN);
  }
  if (wire.color() != v1::COLOR_UNSPECIFIED) color = wire.color() == v1::COLOR_WHITE ? Color::kWhite : Color::kBlack;
  if (type == PieceType::kNone) {
    return InvalidField("square", "EMPTY_SQUARE",
                        absl::StrCat("there is no man on ", wire.square(), ": say by `piece` whose attacks you want"));
  }
  return Piece(color, type);
}

void WriteAttacks(const BitboardsOrder& order, v1::BitboardsResponse& response) {
  const auto add = [&](const char* method, Bitboard squares) {
    auto* attacks = response.add_attacks();
    attacks->set_method(method);
    attacks->set_squares(squares);
  };
  const PieceType type = order.piece.type();
  switch (type) {
    case PieceType::kPawn:
      return add("lookup", PawnAttacks(order.piece.color(), order.square));
    case PieceType::kKnight:
      return add("lookup", KnightAttacks(order.square));
    case PieceType::kKing:
      return add("lookup", KingAttacks(order.square));
    default:
      break;
  }
  const Bitboard occupied = order.position.board().Occupied();
  ForEachSlider([&](auto method) {
    Bitboard squares = 0;
    if (type != PieceType::kRook) squares |= method.Bishop(order.square, occupied);
    if (type != PieceType::kBishop) squares |= method.Rook(order.square, occupied);
    add(method.kName, squares);
  });
}

}  // namespace

absl::Status CheckRange(absl::string_view field, std::int64_t value, std::int64_t least, std::int64_t most) {
  if (value >= least && value <= most) return absl::OkStatus();
  return InvalidField(field, "OUT_OF_RANGE", absl::StrCat(value, " is not within ", least, " and ", most));
}

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

absl::StatusOr<PerftOrder> ParsePerft(const v1::PerftRequest& wire, const ServerOptions& options) {
  for (const absl::Status& check :
       {CheckRange("depth", wire.depth(), 1, kMaxPerftDepth), CheckRange("threads", wire.threads(), 0, options.workers),
        CheckRange("hash_mb", wire.hash_mb(), 0, options.perft_hash_mb)}) {
    if (!check.ok()) return check;
  }
  absl::StatusOr<Position> position = ParsePosition(wire.position());
  if (!position.ok()) return position.status();
  return PerftOrder{*std::move(position), wire.depth(), wire.threads() == 0 ? options.workers : wire.threads(),
                    wire.hash_mb()};
}

absl::StatusOr<BitboardsOrder> ParseBitboards(const v1::BitboardsRequest& wire) {
  absl::StatusOr<Position> position = ParsePosition(wire.position());
  if (!position.ok()) return position.status();
  BitboardsOrder order{*std::move(position), Square::kNone, Piece()};
  if (wire.square().empty()) {
    if (wire.piece() == v1::PIECE_TYPE_UNSPECIFIED && wire.color() == v1::COLOR_UNSPECIFIED) return order;
    return InvalidField("square", "MISSING_FIELD", "is needed with `piece` or `color`");
  }
  const std::optional<Square> square = ParseSquare(wire.square());
  if (!square) {
    return InvalidField("square", "INVALID_SQUARE",
                        absl::StrCat("\"", Printable(wire.square()), "\" is not a square, such as d4"));
  }
  const absl::StatusOr<Piece> piece = ParseMan(wire, order.position, *square);
  if (!piece.ok()) return piece.status();
  order.square = *square;
  order.piece = *piece;
  return order;
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

void WriteBitboards(const BitboardsOrder& order, v1::BitboardsResponse& response) {
  const Board& board = order.position.board();
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
  if (order.square != Square::kNone) WriteAttacks(order, response);
}

v1::PerftResponse DivideToWire(const Position& position, Move move, std::uint64_t nodes) {
  v1::PerftResponse response;
  auto* divide = response.mutable_divide();
  divide->set_uci(ToUci(move, position.variant()));
  divide->set_san(ToSan(position, move));
  divide->set_nodes(nodes);
  return response;
}

v1::PerftResponse TotalToWire(std::uint64_t nodes, std::chrono::nanoseconds elapsed) {
  v1::PerftResponse response;
  auto* total = response.mutable_total();
  total->set_nodes(nodes);
  *total->mutable_elapsed() = ToWire(elapsed);
  const double seconds = std::chrono::duration<double>(elapsed).count();
  total->set_nps(static_cast<std::uint64_t>(seconds > 0 ? static_cast<double>(nodes) / seconds : 0));
  return response;
}

v1::GameStatus ToWire(GameStatus status) {
  return static_cast<v1::GameStatus>(static_cast<int>(status) + v1::GAME_STATUS_ONGOING);
}

google::protobuf::Duration ToWire(std::chrono::nanoseconds duration) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(duration);
  google::protobuf::Duration wire;
  wire.set_seconds(seconds.count());
  wire.set_nanos(static_cast<int>((duration - seconds).count()));
  return wire;
}

}  // namespace kibitz::server
