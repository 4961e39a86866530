// Small helpers for tests that need positions.

#ifndef KIBITZ_TESTS_SUPPORT_POSITIONS_H_
#define KIBITZ_TESTS_SUPPORT_POSITIONS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/board/move.h"
#include "engine/board/position.h"
#include "engine/board/types.h"

namespace kibitz {

// For FENs and moves that the test itself chose: a bad one ends the program with a word about it.
Position MustParse(absl::string_view fen, Variant variant = Variant::kStandard);
Move MustParseUci(const Position& position, absl::string_view uci);
// Plays moves in UCI notation, separated by spaces.
void PlayUci(Position& position, absl::string_view moves);

// The legal moves in UCI notation, sorted.
std::vector<std::string> SortedUci(const Position& position);

// The same game with the colours exchanged: board upside down, the other side to move.
Position WithColorsExchanged(const Position& position);

// The lines of a file below the repository's root that are neither empty nor comments (#). Read from Bazel's runfiles.
std::vector<std::string> ReadDataLines(absl::string_view path);

}  // namespace kibitz

#endif  // KIBITZ_TESTS_SUPPORT_POSITIONS_H_
