// Forsyth-Edwards Notation, in and out.

#ifndef KIBITZ_ENGINE_BOARD_FEN_H_
#define KIBITZ_ENGINE_BOARD_FEN_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/board/position.h"
#include "engine/board/types.h"

namespace kibitz {

inline constexpr char kStartFen[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

// Reads a FEN of four fields (no clocks) or six, and checks that the position is legal. Castling rights may be written
// as KQkq (for Chess960 meaning the outermost rook, as X-FEN has it) or, for Chess960, as the rooks' files (HAha,
// Shredder-FEN). An error says what is wrong in words meant for the person who sent it.
absl::StatusOr<Position> ParseFen(absl::string_view fen, Variant variant = Variant::kStandard);

// How castling rights are written for Chess960. Standard chess always has KQkq.
enum class CastlingNotation : std::uint8_t {
  kXFen,      // KQkq, and the file's letter for a rook that is not the outermost
  kShredder,  // the file's letter always
};

// Writes all six fields. The en-passant square is given only where such a capture is legal.
std::string ToFen(const Position& position, CastlingNotation notation = CastlingNotation::kXFen);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_FEN_H_
