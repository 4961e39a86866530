#include "client/match/game_record.h"

#include <array>
#include <ctime>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"

namespace kibitz::client {
namespace {

constexpr std::array<const char*, 5> kTerminations = {"normal", "adjudication", "time forfeit", "rules infraction",
                                                      "abandoned"};

std::string Date(absl::Time time) {
  const std::time_t seconds = absl::ToTimeT(time);
  std::tm parts = {};
  gmtime_r(&seconds, &parts);
  return absl::StrFormat("%04d.%02d.%02d", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

std::string Hours(absl::Duration time) {
  const std::int64_t milliseconds = absl::ToInt64Milliseconds(time);
  return absl::StrFormat("%d:%02d:%02d.%03d", milliseconds / 3'600'000, milliseconds / 60'000 % 60,
                         milliseconds / 1000 % 60, milliseconds % 1000);
}

std::string Comment(const PlayedMove& played, Color side) {
  if (!played.thought) return "";
  const Thought& thought = *played.thought;
  std::string comment;
  if (thought.score) {
    const int white = side == Color::kWhite ? thought.score->value : -thought.score->value;
    const std::string score =
        thought.score->is_mate ? absl::StrCat("#", white) : absl::StrFormat("%.2f", white / 100.0);
    absl::StrAppend(&comment, "[%eval ", score, ",", thought.depth, "] ");
  }
  if (played.clock_left > absl::ZeroDuration()) absl::StrAppend(&comment, "[%clk ", Hours(played.clock_left), "] ");
  absl::StrAppend(&comment, "[%emt ", Hours(thought.elapsed), "]");
  return comment;
}

}  // namespace

PgnGame ToPgnGame(const PlayedGame& game, const GameHeading& heading) {
  PgnGame pgn;
  pgn.start = game.opening.start;
  pgn.result = ResultText(game.outcome);
  const std::string white_control = ToString(heading.white_control);
  const std::string black_control = ToString(heading.black_control);
  pgn.tags = {
      {"Event", heading.event},
      {"Site", "?"},
      {"Date", Date(heading.date)},
      {"Round", absl::StrCat(heading.game.pair() + 1, ".", heading.game.reversed ? 2 : 1)},
      {"White", heading.white},
      {"Black", heading.black},
      {"Result", pgn.result},
      {"PlyCount", absl::StrCat(game.moves.size())},
      {"TimeControl", white_control == black_control ? white_control : "?"},
      {"Termination", kTerminations[static_cast<std::size_t>(game.termination)]},
      {"TerminationDetails", game.reason},
  };
  if (white_control != black_control) {
    pgn.tags.emplace_back("WhiteTimeControl", white_control);
    pgn.tags.emplace_back("BlackTimeControl", black_control);
  }
  Color side = game.opening.start.side_to_move();
  for (const PlayedMove& played : game.moves) {
    pgn.moves.push_back({.move = played.move, .comment = Comment(played, side)});
    side = ~side;
  }
  return pgn;
}

const char* ResultText(GameOutcome outcome) {
  return outcome == GameOutcome::kWhiteWins ? "1-0" : outcome == GameOutcome::kDraw ? "1/2-1/2" : "0-1";
}

absl::StatusOr<GameOutcome> ParseOutcome(absl::string_view result) {
  for (const GameOutcome outcome : {GameOutcome::kWhiteWins, GameOutcome::kDraw, GameOutcome::kBlackWins}) {
    if (result == ResultText(outcome)) return outcome;
  }
  return absl::InvalidArgumentError(absl::StrCat("the game is not finished: ", result));
}

absl::StatusOr<RecordedGame> ReadRecord(const PgnGame& game) {
  const absl::StatusOr<GameOutcome> outcome = ParseOutcome(game.result);
  if (!outcome.ok()) return outcome.status();
  const std::pair<absl::string_view, absl::string_view> round = absl::StrSplit(game.Tag("Round"), '.');
  int pair = 0;
  int number = 0;
  if (!absl::SimpleAtoi(round.first, &pair) || !absl::SimpleAtoi(round.second, &number) || pair < 1 || number < 1 ||
      number > 2) {
    return absl::InvalidArgumentError(absl::StrCat("the round '", game.Tag("Round"), "' is not one of a match"));
  }
  RecordedGame record{.index = (pair - 1) * 2 + number - 1,
                      .white = std::string(game.Tag("White")),
                      .black = std::string(game.Tag("Black")),
                      .outcome = *outcome};
  for (std::size_t i = 0; i < kTerminations.size(); ++i) {
    if (game.Tag("Termination") == kTerminations[i]) record.termination = static_cast<Termination>(i);
  }
  return record;
}

}  // namespace kibitz::client
