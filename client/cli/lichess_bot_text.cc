#include "client/cli/lichess_bot_text.h"

#include <fmt/format.h>

#include "engine/board/picture.h"

namespace kibitz::client {
namespace {

using lichess::BotCounts;
using lichess::BotView;
using lichess::GameView;

std::string ClockOf(const GameView& game, Color side) {
  if (!game.has_clock) return "-";
  const std::int64_t tenths = absl::ToInt64Milliseconds(game.time[lichess::Place(side)]) / 100;
  if (tenths < 200) return fmt::format("{}.{}", tenths / 10, tenths % 10);
  return fmt::format("{}:{:02}", tenths / 600, tenths / 10 % 60);
}

std::string GameLine(const GameView& game) {
  return fmt::format("{:<9} {:<20} {:>5}  {:<5} {:<9} {:>6} {:>7} {:>7}  {:<5} {:>7}  {}\n", game.id,
                     game.opponent.name.substr(0, 20), game.opponent.rating,
                     game.us == Color::kWhite ? "White" : "Black", game.speed, game.position.fullmove_number(),
                     ClockOf(game, game.us), ClockOf(game, ~game.us), game.last_move, game.score, game.line);
}

std::string Counts(const BotCounts& counts) {
  std::int64_t declined = 0;
  for (const auto& [reason, count] : counts.challenges_declined) declined += count;
  return fmt::format(
      "won {}  drawn {}  lost {} ({} on time)  unfinished {};  challenges accepted {}, declined {}, made {}\n"
      "moves {} ({} from the book), sent again {};  streams opened {}, lost {};  searches lost {}\n",
      counts.wins, counts.draws, counts.losses, counts.lost_on_time, counts.unfinished, counts.challenges_accepted,
      declined, counts.challenges_made, counts.moves, counts.book_moves, counts.moves_sent_again, counts.streams_opened,
      counts.streams_lost, counts.searches_lost);
}

}  // namespace

std::string LichessBotText(const BotView& view, const Palette& palette) {
  std::string text =
      fmt::format("{} on {}, {}, round trip {:.0f} ms\n", fmt::styled(view.account, palette.strong), view.server,
                  view.online ? "online" : "offline", absl::ToDoubleMilliseconds(view.round_trip));
  text += Counts(view.counts) + "\n";
  if (view.games.empty()) return text + "no game: waiting for challenges\n";
  text += fmt::format(
      "{}\n", fmt::styled(fmt::format("{:<9} {:<20} {:>5}  {:<5} {:<9} {:>6} {:>7} {:>7}  {:<5} {:>7}  {}", "game",
                                      "opponent", "", "we", "speed", "move", "ours", "theirs", "last", "score", "line"),
                          palette.heading));
  for (const GameView& game : view.games) text += GameLine(game);
  return text + "\n" + BoardPicture(view.games.front().position.board()) + "\n";
}

std::string LichessBotSummary(const BotView& view) { return Counts(view.counts); }

}  // namespace kibitz::client
