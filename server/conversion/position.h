// Between the wire and the engine's plain structs: positions and their legal moves. Every error names the field's path.

#ifndef KIBITZ_SERVER_CONVERSION_POSITION_H_
#define KIBITZ_SERVER_CONVERSION_POSITION_H_

#include <string>

#include "absl/status/statusor.h"
#include "engine/board/position.h"
#include "kibitz/v1/position.pb.h"

namespace kibitz::server {

// The most moves of one position: more than the longest game that the seventy-five-move rule allows.
inline constexpr int kMaxGameMoves = 12000;

// The position after all moves, with the game's repetitions known.
absl::StatusOr<Position> ParsePosition(const v1::Position& wire);

// The name of a position for those who keep results: its FEN without the clocks, and the variant.
std::string PositionName(const Position& position);

// The legal moves, sorted by their UCI notation, and how the game stands.
void WriteLegalMoves(const Position& position, v1::LegalMovesResponse& response);

v1::GameStatus ToWire(GameStatus status);
v1::Color ToWire(Color color);
v1::PieceType ToWire(PieceType type);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_CONVERSION_POSITION_H_
