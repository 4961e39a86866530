// Plays all games of a schedule, several at a time.

#ifndef KIBITZ_CLIENT_MATCH_MATCH_H_
#define KIBITZ_CLIENT_MATCH_MATCH_H_

#include <functional>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/match/game.h"
#include "client/match/opening.h"
#include "client/match/player.h"
#include "client/match/schedule.h"
#include "client/match/time_control.h"

namespace kibitz::client {

struct Contestant {
  std::string name;
  TimeControl control;
  std::function<absl::StatusOr<std::unique_ptr<Player>>()> make_player;
};

struct MatchOptions {
  std::vector<Contestant> contestants;
  Schedule schedule;
  OpeningSource openings;
  GameRules rules;
  // Games at a time. Each has its own share of the processors if there are enough of them.
  int concurrency = 1;
  // Whether players are made anew for each game rather than only after a failure.
  bool restart_players = false;
  // Games that are over already.
  std::set<int> finished;
};

// Called for each game that ends, one at a time. Returns whether the match goes on.
using GameObserver = std::function<bool(const ScheduledGame&, const PlayedGame&)>;

// Plays until all games are over, the observer has seen enough, or a stop is requested: games that are not over by then
// are dropped. Fails only if there are no openings.
absl::Status PlayMatch(const MatchOptions& options, std::stop_token stop, const GameObserver& observer);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_MATCH_MATCH_H_
