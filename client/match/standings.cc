#include "client/match/standings.h"

#include <algorithm>
#include <cstddef>

namespace kibitz::client {
namespace {

// 0, 1 or 2 for White.
int WhiteHalfPoints(GameOutcome outcome) {
  return outcome == GameOutcome::kWhiteWins ? 2 : outcome == GameOutcome::kDraw ? 1 : 0;
}

void CountFailure(Tally& tally, Termination termination) {
  if (termination == Termination::kTimeForfeit) ++tally.time_losses;
  if (termination == Termination::kAbandoned) ++tally.crashes;
  if (termination == Termination::kRulesInfraction) ++tally.illegal_moves;
}

}  // namespace

double Tally::DrawRate() const {
  return static_cast<double>(games[1]) / static_cast<double>(std::max<std::int64_t>(1, GameCount()));
}

Tally& Tally::operator+=(const Tally& other) {
  for (std::size_t i = 0; i < games.size(); ++i) games[i] += other.games[i];
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] += other.pairs[i];
  time_losses += other.time_losses;
  crashes += other.crashes;
  illegal_moves += other.illegal_moves;
  return *this;
}

Standings::Standings(int players, const Schedule& schedule)
    : pairs_of_players_(schedule.pairings()),
      pairings_(schedule.pairings().size()),
      players_(static_cast<std::size_t>(players)) {}

void Standings::Add(const ScheduledGame& game, GameOutcome outcome, Termination termination) {
  ++game_count_;
  const int white = WhiteHalfPoints(outcome);
  const int first = game.reversed ? 2 - white : white;
  Tally as_first;
  Tally as_second;
  as_first.games[static_cast<std::size_t>(first)] = 1;
  as_second.games[static_cast<std::size_t>(2 - first)] = 1;
  CountFailure(first == 0 ? as_first : as_second, termination);
  if (const auto other = half_played_.find(game.pair()); other != half_played_.end()) {
    const int points = first + other->second;
    half_played_.erase(other);
    as_first.pairs[static_cast<std::size_t>(points)] = 1;
    as_second.pairs[static_cast<std::size_t>(4 - points)] = 1;
  } else {
    half_played_[game.pair()] = first;
  }
  const auto [first_player, second_player] = pairs_of_players_[static_cast<std::size_t>(game.pairing)];
  pairings_[static_cast<std::size_t>(game.pairing)] += as_first;
  players_[static_cast<std::size_t>(first_player)] += as_first;
  players_[static_cast<std::size_t>(second_player)] += as_second;
}

}  // namespace kibitz::client
