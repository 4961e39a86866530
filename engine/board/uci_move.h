// Moves as UCI writes them: origin, destination, promotion.

#ifndef KIBITZ_ENGINE_BOARD_UCI_MOVE_H_
#define KIBITZ_ENGINE_BOARD_UCI_MOVE_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/board/move.h"
#include "engine/board/position.h"
#include "engine/board/types.h"

namespace kibitz {

std::string ToString(Square square);
// "e4", lower case only.
std::optional<Square> ParseSquare(absl::string_view text);

// Castling is the king's two steps (e1g1) in standard chess and king takes rook (e1h1) in Chess960. No move is "0000".
std::string ToUci(Move move, Variant variant);

// Reads a move that is legal in `position`, or says why it is not. Castling written as king takes rook is understood in
// standard chess as well.
absl::StatusOr<Move> ParseUciMove(const Position& position, absl::string_view text);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_UCI_MOVE_H_
