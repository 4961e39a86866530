// What the fuzz targets share.

#ifndef KIBITZ_TESTS_FUZZ_FUZZ_SUPPORT_H_
#define KIBITZ_TESTS_FUZZ_FUZZ_SUPPORT_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/board/move.h"
#include "engine/board/position.h"

namespace kibitz {

// Ends the program with a word when something that must hold does not. Unlike assert it is there in every build.
void Require(bool holds, absl::string_view what);

// A refusal has the right code and words that can be shown to people.
void RequireGoodRefusal(const absl::Status& status);

// Two positions that no question about the present can tell apart.
void RequireSame(const Position& one, const Position& other);

// Takes any bytes for a game: a digit for one of a few positions to begin with (any other character means 0), then
// words between blanks. Each is read as a move; what is read must be legal and survive being written, and is played.
void TryMoves(absl::string_view text,
              const std::function<absl::StatusOr<Move>(const Position& position, absl::string_view word)>& read,
              const std::function<std::string(const Position& position, Move move)>& write);

}  // namespace kibitz

#endif  // KIBITZ_TESTS_FUZZ_FUZZ_SUPPORT_H_
