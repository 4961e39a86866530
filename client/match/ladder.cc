#include "client/match/ladder.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/match/game_record.h"
#include "client/match/ratings.h"
#include "engine/board/pgn.h"

namespace kibitz::client {

void LadderResults::Add(absl::string_view pgn) {
  PgnReader reader(pgn);
  while (true) {
    const absl::StatusOr<std::optional<PgnGame>> game = reader.Next();
    if (!game.ok()) continue;
    if (!game->has_value()) return;
    const absl::StatusOr<GameOutcome> outcome = ParseOutcome((*game)->result);
    const std::string white((*game)->Tag("White"));
    const std::string black((*game)->Tag("Black"));
    if (!outcome.ok() || white.empty() || black.empty() || white == black) continue;
    Count& count = counts_[std::minmax(white, black)];
    const bool first_won = *outcome == (white < black ? GameOutcome::kWhiteWins : GameOutcome::kBlackWins);
    ++(*outcome == GameOutcome::kDraw ? count.drawn : first_won ? count.won : count.lost);
    ++games_;
  }
}

absl::StatusOr<std::vector<Rung>> LadderResults::Fit(const std::string& anchor) const {
  std::map<std::string, int> places;
  std::vector<Rung> rungs;
  const auto place_of = [&](const std::string& name) {
    const auto [place, is_new] = places.emplace(name, static_cast<int>(rungs.size()));
    if (is_new) rungs.push_back({.name = name, .rating = {}});
    return place->second;
  };
  std::vector<PairResult> results;
  for (const auto& [names, count] : counts_) {
    const int first = place_of(names.first);
    const int second = place_of(names.second);
    results.push_back({.first = first, .second = second, .won = count.won, .drawn = count.drawn, .lost = count.lost});
    const std::int64_t games = count.won + count.drawn + count.lost;
    const double points = static_cast<double>(count.won) + static_cast<double>(count.drawn) / 2;
    rungs[static_cast<std::size_t>(first)].games += games;
    rungs[static_cast<std::size_t>(second)].games += games;
    rungs[static_cast<std::size_t>(first)].points += points;
    rungs[static_cast<std::size_t>(second)].points += static_cast<double>(games) - points;
  }
  const auto found = places.find(anchor);
  if (found == places.end()) return absl::NotFoundError(absl::StrCat("there is no game of ", anchor));
  const std::vector<Estimate> ratings = FitRatings(static_cast<int>(rungs.size()), results, found->second);
  for (std::size_t i = 0; i < rungs.size(); ++i) rungs[i].rating = ratings[i];
  std::sort(rungs.begin(), rungs.end(), [](const Rung& a, const Rung& b) { return a.rating.value > b.rating.value; });
  return rungs;
}

std::string LadderTable(const std::vector<Rung>& rungs) {
  std::string text = "| | player | Elo | +/- | games | score |\n| ---: | --- | ---: | ---: | ---: | ---: |\n";
  int place = 0;
  for (const Rung& rung : rungs) {
    absl::StrAppendFormat(&text, "| %d | %s | %+.0f | %.0f | %d | %.1f %% |\n", ++place, rung.name,
                          rung.rating.value + 0.0, rung.rating.error, rung.games,
                          100 * rung.points / static_cast<double>(std::max<std::int64_t>(1, rung.games)));
  }
  return text;
}

}  // namespace kibitz::client
