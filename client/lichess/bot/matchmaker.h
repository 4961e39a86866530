// Whom the bot challenges of itself, and when.

#ifndef KIBITZ_CLIENT_LICHESS_BOT_MATCHMAKER_H_
#define KIBITZ_CLIENT_LICHESS_BOT_MATCHMAKER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "client/lichess/bot/events.h"
#include "client/lichess/bot/lichess_api.h"
#include "client/lichess/bot/policy.h"

namespace kibitz::client::lichess {

// Not for several threads.
class Matchmaker {
 public:
  Matchmaker(const MatchmakingPolicy& policy, const ChallengePolicy& challenges, std::string us,
             std::uint64_t seed = std::random_device()());

  // When to look for an opponent next; never while it is busy, or has played enough for today.
  absl::Time next() const { return policy_.on ? next_ : absl::InfiniteFuture(); }
  // A game is over, or has begun: the time of idleness begins again.
  void Touch(absl::Time now) { next_ = std::max(next_, now + policy_.idle); }
  // The server wants no more of it before then.
  void Rest(absl::Time until) { next_ = std::max(next_, until); }

  struct Choice {
    Player opponent;
    LichessApi::Offer offer;
  };
  // One of those who are online, and a time control at which the ratings are near; nobody if none fits. Whoever is
  // chosen is left in peace for a while.
  std::optional<Choice> Choose(const std::vector<OnlineBot>& online, absl::Time now);

 private:
  bool IsWanted(const OnlineBot& bot, absl::Time now) const;

  const MatchmakingPolicy policy_;
  const ChallengePolicy challenges_;
  const std::string us_;
  std::mt19937_64 random_;
  absl::Time next_ = absl::InfinitePast();
  std::map<std::string, absl::Time> asked_;
};

}  // namespace kibitz::client::lichess

#endif  // KIBITZ_CLIENT_LICHESS_BOT_MATCHMAKER_H_
