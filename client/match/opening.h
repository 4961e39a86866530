// Where games begin: the same for both colours, so that neither player has the better half.

#ifndef KIBITZ_CLIENT_MATCH_OPENING_H_
#define KIBITZ_CLIENT_MATCH_OPENING_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/board/move.h"
#include "engine/board/position.h"
#include "engine/book/polyglot_book.h"

namespace kibitz::client {

struct Opening {
  Position start;
  std::vector<Move> moves;

  // The position in which the players begin to think.
  Position End() const;
};

// Gives the opening of a number from 0 on, the same for the same number however often it is asked. Not for two threads
// at a time.
using OpeningSource = std::function<absl::StatusOr<Opening>(int number)>;

struct OpeningFileOptions {
  int plies = 0;  // how much of each game to take; 0: all of it
  bool shuffle = false;
  std::uint64_t seed = 1;
};

// The games of a PGN text, or the positions of an EPD or FEN text, one a line. They begin again when all are used.
absl::StatusOr<OpeningSource> OpeningsFromPgn(absl::string_view text, const OpeningFileOptions& options);
absl::StatusOr<OpeningSource> OpeningsFromEpd(absl::string_view text, const OpeningFileOptions& options);

// Centipawns for the side to move, or a reason why there is no score.
using PositionJudge = std::function<absl::StatusOr<int>(const Position&)>;

struct RandomOpeningOptions {
  int plies = 8;
  std::uint64_t seed = 1;
};

// Random legal moves from the starting position, to positions that the judge finds within `balance` centipawns of
// equality, none of them twice.
OpeningSource RandomOpenings(const RandomOpeningOptions& options, PositionJudge judge, int balance = 60);

// Random moves of a book by their weights, as long as it has any, to different positions.
OpeningSource BookOpenings(PolyglotBook book, const RandomOpeningOptions& options);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_MATCH_OPENING_H_
