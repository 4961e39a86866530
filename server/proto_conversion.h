// Between the wire and the engine's plain structs. Requests are checked here, every error naming the field's path.

#ifndef KIBITZ_SERVER_PROTO_CONVERSION_H_
#define KIBITZ_SERVER_PROTO_CONVERSION_H_

#include "absl/status/statusor.h"
#include "engine/board/position.h"
#include "kibitz/v1/position.pb.h"

namespace kibitz::server {

// The most moves of one position: more than the longest game that the seventy-five-move rule allows.
inline constexpr int kMaxGameMoves = 12000;

// The position after all moves, with the game's repetitions known.
absl::StatusOr<Position> ParsePosition(const v1::Position& wire);

// The legal moves, sorted by their UCI notation, and how the game stands.
void ToWire(const Position& position, v1::LegalMovesResponse& response);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_PROTO_CONVERSION_H_
