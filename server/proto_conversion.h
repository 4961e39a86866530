// Between the wire and the engine's plain structs: positions, moves and bitboards. See analysis_conversion.h for
// searches. Requests are checked here, and every error names the field's path.

#ifndef KIBITZ_SERVER_PROTO_CONVERSION_H_
#define KIBITZ_SERVER_PROTO_CONVERSION_H_

#include <chrono>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/board/move.h"
#include "engine/board/position.h"
#include "google/protobuf/duration.pb.h"
#include "kibitz/v1/analysis.pb.h"
#include "kibitz/v1/position.pb.h"
#include "server/server_options.h"

namespace kibitz::server {

// The most moves of one position: more than the longest game that the seventy-five-move rule allows.
inline constexpr int kMaxGameMoves = 12000;

// A checked PerftRequest.
struct PerftOrder {
  Position position;
  int depth = 0;
  int threads = 1;
  int hash_mb = 0;
};

// A checked BitboardsRequest: with a square, the man whose attacks from there are wanted.
struct BitboardsOrder {
  Position position;
  Square square = Square::kNone;
  Piece piece;
};

// The position after all moves, with the game's repetitions known.
absl::StatusOr<Position> ParsePosition(const v1::Position& wire);
absl::StatusOr<PerftOrder> ParsePerft(const v1::PerftRequest& wire, const ServerOptions& options);
absl::StatusOr<BitboardsOrder> ParseBitboards(const v1::BitboardsRequest& wire);

// INVALID_ARGUMENT unless the value is within the bounds.
absl::Status CheckRange(absl::string_view field, std::int64_t value, std::int64_t least, std::int64_t most);

// The legal moves, sorted by their UCI notation, and how the game stands.
void WriteLegalMoves(const Position& position, v1::LegalMovesResponse& response);
void WriteBitboards(const BitboardsOrder& order, v1::BitboardsResponse& response);
v1::PerftResponse DivideToWire(const Position& position, Move move, std::uint64_t nodes);
v1::PerftResponse TotalToWire(std::uint64_t nodes, std::chrono::nanoseconds elapsed);
v1::GameStatus ToWire(GameStatus status);
google::protobuf::Duration ToWire(std::chrono::nanoseconds duration);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_PROTO_CONVERSION_H_
