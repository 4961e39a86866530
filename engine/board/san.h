// Moves in standard algebraic notation, in and out.

#ifndef KIBITZ_ENGINE_BOARD_SAN_H_
#define KIBITZ_ENGINE_BOARD_SAN_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/board/move.h"
#include "engine/board/position.h"

namespace kibitz {

// Writes a legal move with just the disambiguation that it needs and its check or mate sign: "Nbd7", "exd8=Q+", "O-O#".
std::string ToSan(const Position& position, Move move);
// The same for those who have the legal moves at hand, as when writing them all.
std::string ToSan(const Position& position, Move move, const MoveList& legal);

// Reads a legal move, or says why there is none. Exact in meaning, generous in form: check and mate signs and the marks
// ! and ? may be left out or added, more disambiguation than needed may be given, castling may be written with zeros,
// "e8Q" and "e8=Q" are the same. Less disambiguation than needed is an error that names the candidates.
absl::StatusOr<Move> ParseSan(const Position& position, absl::string_view text);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_SAN_H_
