#include "client/match/match_archive.h"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/board/fen.h"
#include "engine/board/pgn.h"

namespace kibitz::client {
namespace {

bool BeginsWith(const PgnGame& game, const Opening& opening) {
  if (ToFen(game.start) != ToFen(opening.start) || game.moves.size() < opening.moves.size()) return false;
  for (std::size_t i = 0; i < opening.moves.size(); ++i) {
    if (game.moves[i].move != opening.moves[i]) return false;
  }
  return true;
}

absl::Status CheckThatItBelongs(const PgnGame& game, const RecordedGame& record, const Schedule& schedule,
                                const std::vector<std::string>& names, const OpeningSource& openings) {
  const auto foreign = [&](absl::string_view why) {
    return absl::FailedPreconditionError(
        absl::StrCat("the recorded game of round ", game.Tag("Round"), " is of another match: ", why));
  };
  if (record.index >= schedule.size()) return foreign("this one has fewer games");
  const ScheduledGame planned = schedule.At(record.index);
  if (record.white != names[static_cast<std::size_t>(planned.white)] ||
      record.black != names[static_cast<std::size_t>(planned.black)]) {
    return foreign(absl::StrCat("there ", record.white, " had White against ", record.black));
  }
  const absl::StatusOr<Opening> opening = openings(planned.opening);
  if (!opening.ok()) return opening.status();
  if (!BeginsWith(game, *opening)) return foreign("it has another opening");
  return absl::OkStatus();
}

// How much of a text is games that end with their result.
std::size_t LengthOfWholeGames(absl::string_view pgn) {
  std::size_t length = 0;
  PgnReader reader(pgn);
  while (true) {
    const absl::StatusOr<std::optional<PgnGame>> game = reader.Next();
    if (!game.ok()) continue;
    if (!game->has_value()) return length;
    const std::size_t read = pgn.size() - reader.rest().size();
    if (absl::EndsWith(pgn.substr(0, read), (*game)->result)) length = read;
  }
}

}  // namespace

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file) return absl::NotFoundError(absl::StrCat(path, ": ", std::strerror(errno)));
  return text.str();
}

absl::StatusOr<std::vector<RecordedGame>> FinishedGames(absl::string_view pgn, const Schedule& schedule,
                                                        const std::vector<std::string>& names,
                                                        const OpeningSource& openings) {
  std::vector<RecordedGame> games;
  std::set<int> seen;
  PgnReader reader(pgn);
  while (true) {
    absl::StatusOr<std::optional<PgnGame>> game = reader.Next();
    if (!game.ok()) continue;
    if (!game->has_value()) return games;
    absl::StatusOr<RecordedGame> record = ReadRecord(**game);
    if (!record.ok()) continue;
    if (absl::Status status = CheckThatItBelongs(**game, *record, schedule, names, openings); !status.ok())
      return status;
    if (seen.insert(record->index).second) games.push_back(*std::move(record));
  }
}

absl::StatusOr<std::string> MatchArchive::Repair() const {
  absl::StatusOr<std::string> text = ReadFile(path_);
  if (!text.ok()) return text;
  const std::size_t length = LengthOfWholeGames(*text);
  if (absl::StripAsciiWhitespace(absl::string_view(*text).substr(length)).empty()) return text;
  text->resize(length);
  if (length > 0) *text += "\n\n";
  std::ofstream file(path_, std::ios::trunc | std::ios::binary);
  file << *text << std::flush;
  if (!file) return absl::UnavailableError(absl::StrCat(path_, " cannot be written: ", std::strerror(errno)));
  return text;
}

absl::Status MatchArchive::Append(const PgnGame& game) const {
  // Opened for each game: the file may be moved or shortened under a long match.
  std::ofstream file(path_, std::ios::app | std::ios::binary);
  file << ToPgn(game) << std::flush;
  if (file) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(path_, " cannot be written: ", std::strerror(errno)));
}

}  // namespace kibitz::client
