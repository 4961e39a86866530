// The games of the last 24 hours, as far as limits look at them.

#ifndef KIBITZ_CLIENT_LICHESS_BOT_DAILY_GAMES_H_
#define KIBITZ_CLIENT_LICHESS_BOT_DAILY_GAMES_H_

#include <algorithm>
#include <deque>
#include <string>

#include "absl/time/time.h"
#include "client/lichess/bot/events.h"

namespace kibitz::client::lichess {

class DailyGames {
 public:
  void Add(const Player& opponent, absl::Time now) {
    while (!games_.empty() && now - games_.front().began >= kDay) games_.pop_front();
    games_.push_back({opponent.id, opponent.IsBot(), now});
  }
  int Against(const std::string& id, absl::Time now) const {
    return Count([&](const Game& game) { return game.opponent == id && now - game.began < kDay; });
  }
  int AgainstBots(absl::Time now) const {
    return Count([&](const Game& game) { return game.bot && now - game.began < kDay; });
  }

 private:
  static constexpr absl::Duration kDay = absl::Hours(24);
  struct Game {
    std::string opponent;
    bool bot;
    absl::Time began;
  };
  template <typename Is>
  int Count(Is is) const {
    return static_cast<int>(std::count_if(games_.begin(), games_.end(), is));
  }

  std::deque<Game> games_;  // the oldest first
};

}  // namespace kibitz::client::lichess

#endif  // KIBITZ_CLIENT_LICHESS_BOT_DAILY_GAMES_H_
