#include "client/match/schedule.h"

namespace kibitz::client {

Schedule::Schedule(int players, MatchFormat format, int openings) : openings_(openings) {
  const int hosts = format == MatchFormat::kGauntlet ? 1 : players;
  for (int first = 0; first < hosts; ++first) {
    for (int second = first + 1; second < players; ++second) pairings_.emplace_back(first, second);
  }
}

ScheduledGame Schedule::At(int index) const {
  const int pairings = static_cast<int>(pairings_.size());
  ScheduledGame game;
  game.index = index;
  game.pairing = game.pair() % pairings;
  game.opening = game.pair() / pairings;
  game.reversed = index % 2 == 1;
  const auto [first, second] = pairings_[static_cast<std::size_t>(game.pairing)];
  game.white = game.reversed ? second : first;
  game.black = game.reversed ? first : second;
  return game;
}

}  // namespace kibitz::client
