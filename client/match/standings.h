// The results of a match so far.

#ifndef KIBITZ_CLIENT_MATCH_STANDINGS_H_
#define KIBITZ_CLIENT_MATCH_STANDINGS_H_

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "client/match/game.h"
#include "client/match/schedule.h"

namespace kibitz::client {

// Results as one player sees them.
struct Tally {
  std::array<std::int64_t, 3> games{};  // lost, drawn, won
  std::array<std::int64_t, 5> pairs{};  // by points: 0, 1/2, 1, 3/2, 2; whole pairs only
  std::int64_t time_losses = 0;
  std::int64_t crashes = 0;
  std::int64_t illegal_moves = 0;

  std::int64_t GameCount() const { return games[0] + games[1] + games[2]; }
  double Points() const { return static_cast<double>(games[2]) + static_cast<double>(games[1]) / 2; }
  double DrawRate() const;
  Tally& operator+=(const Tally& other);
};

class Standings {
 public:
  Standings(int players, const Schedule& schedule);

  void Add(const ScheduledGame& game, GameOutcome outcome, Termination termination);

  std::int64_t GameCount() const { return game_count_; }
  // A pairing's results, as its first player sees them. Failures are the first player's.
  const Tally& OfPairing(int pairing) const { return pairings_[static_cast<std::size_t>(pairing)]; }
  // A player's results against all.
  const Tally& OfPlayer(int player) const { return players_[static_cast<std::size_t>(player)]; }

 private:
  std::vector<std::pair<int, int>> pairs_of_players_;
  std::vector<Tally> pairings_;
  std::vector<Tally> players_;
  // Half points of the pairing's first player in the pairs of which one game is over.
  std::map<int, int> half_played_;
  std::int64_t game_count_ = 0;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_MATCH_STANDINGS_H_
