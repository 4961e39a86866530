// The file that a match is recorded in, and from which it goes on after an interruption.

#ifndef KIBITZ_CLIENT_MATCH_MATCH_ARCHIVE_H_
#define KIBITZ_CLIENT_MATCH_MATCH_ARCHIVE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/match/game_record.h"
#include "client/match/opening.h"
#include "client/match/schedule.h"

namespace kibitz::client {

absl::StatusOr<std::string> ReadFile(const std::string& path);

// The finished games of a PGN text. Fails if they are of another match: of other players, or from other openings. What
// cannot be read, such as a game cut off in the middle, is left out and will be played again.
absl::StatusOr<std::vector<RecordedGame>> FinishedGames(absl::string_view pgn, const Schedule& schedule,
                                                        const std::vector<std::string>& names,
                                                        const OpeningSource& openings);

// Adds games to a file, each at once, so that nothing played is lost.
class MatchArchive {
 public:
  explicit MatchArchive(std::string path) : path_(std::move(path)) {}

  // The games of the file, without what follows the last whole one: a game that was cut off while it was written is
  // removed, because it would spoil the one after it.
  absl::StatusOr<std::string> Repair() const;
  absl::Status Append(const PgnGame& game) const;

 private:
  std::string path_;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_MATCH_MATCH_ARCHIVE_H_
