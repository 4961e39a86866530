#include "client/lichess/bot/game_archive.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "client/lichess/bot/words.h"
#include "client/match/match_archive.h"

namespace kibitz::client::lichess {
namespace {

std::string Hours(absl::Duration time) {
  const std::int64_t ms = absl::ToInt64Milliseconds(time);
  return absl::StrFormat("%d:%02d:%02d.%01d", ms / 3'600'000, ms / 60'000 % 60, ms / 1000 % 60, ms / 100 % 10);
}

// Scores are written as White sees them.
std::string Comment(const PlyNote& note, Color side) {
  std::vector<std::string> parts;
  Answer seen = note.answer;
  if (side == Color::kBlack) {
    if (seen.centipawns) seen.centipawns = -*seen.centipawns;
    if (seen.mate_in) seen.mate_in = -*seen.mate_in;
  }
  if (seen.mate_in) {
    parts.push_back(absl::StrCat("[%eval #", *seen.mate_in, ",", seen.depth, "]"));
  } else if (seen.centipawns) {
    parts.push_back(absl::StrFormat("[%%eval %.2f,%d]", *seen.centipawns / 100.0, seen.depth));
  }
  if (note.clock) parts.push_back(absl::StrCat("[%clk ", Hours(*note.clock), "]"));
  if (note.time > absl::ZeroDuration()) parts.push_back(absl::StrCat("[%emt ", Hours(note.time), "]"));
  return absl::StrJoin(parts, " ");
}

std::string TimeControl(const GameFull& game) {
  if (!game.clock) return "-";
  return absl::StrCat(absl::ToDoubleSeconds(game.clock->initial), "+", absl::ToDoubleSeconds(game.clock->increment));
}

std::string Termination(const std::string& status) {
  if (status == "outoftime") return "time forfeit";
  if (status == "timeout" || status == "aborted" || status == "noStart") return "abandoned";
  return "normal";
}

}  // namespace

PgnGame ToPgnGame(const FollowedGame& game, const PlyNotes& notes, const std::string& site) {
  const GameFull& full = game.full();
  const absl::Time now = absl::Now();
  PgnGame pgn;
  pgn.start = game.start();
  pgn.result = ResultText(game);
  pgn.tags = {{"Event", full.rated ? "Rated game" : "Casual game"},
              {"Site", absl::StrCat(site, "/", full.id)},
              {"Date", absl::FormatTime("%Y.%m.%d", now, absl::UTCTimeZone())},
              {"Round", "-"},
              {"White", full.players[0].name},
              {"Black", full.players[1].name},
              {"Result", pgn.result},
              {"UTCDate", absl::FormatTime("%Y.%m.%d", now, absl::UTCTimeZone())},
              {"UTCTime", absl::FormatTime("%H:%M:%S", now, absl::UTCTimeZone())},
              {"TimeControl", TimeControl(full)},
              {"Termination", Termination(game.state().status)},
              {"TerminationDetails", game.state().status}};
  constexpr std::array<const char*, 2> kElo = {"WhiteElo", "BlackElo"};
  for (std::size_t side = 0; side < 2; ++side) {
    if (full.players[side].rating > 0) pgn.tags.emplace_back(kElo[side], absl::StrCat(full.players[side].rating));
  }
  Color side = game.start().side_to_move();
  for (std::size_t ply = 0; ply < game.moves().size(); ++ply) {
    const auto note = notes.find(ply);
    pgn.moves.push_back({.move = game.moves()[ply], .comment = note == notes.end() ? "" : Comment(note->second, side)});
    side = ~side;
  }
  return pgn;
}

absl::Status GameArchive::Add(const PgnGame& game) {
  if (path_.empty()) return absl::OkStatus();
  const std::lock_guard lock(mutex_);
  return MatchArchive(path_).Append(game);
}

}  // namespace kibitz::client::lichess
