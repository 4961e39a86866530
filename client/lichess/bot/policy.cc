#include "client/lichess/bot/policy.h"

#include <algorithm>

#include "absl/strings/ascii.h"

namespace kibitz::client::lichess {
namespace {

bool Names(const std::vector<std::string>& names, const Player& player) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return absl::AsciiStrToLower(name) == player.id; });
}

// Why this opponent is none, whatever is offered.
std::string AgainstOpponent(const ChallengePolicy& policy, const Player& opponent) {
  if (Names(policy.block, opponent)) return "generic";
  if (!policy.only.empty() && !Names(policy.only, opponent)) return "generic";
  if (opponent.IsBot() && !policy.bots) return "noBot";
  if (!opponent.IsBot() && !policy.people) return "onlyBot";
  return "";
}

std::string AgainstClock(const ChallengePolicy& policy, const Challenge& challenge) {
  if (!challenge.clock) return "timeControl";
  const ClockControl& clock = *challenge.clock;
  if (clock.initial < policy.min_initial || clock.increment < policy.min_increment) return "tooFast";
  if (clock.initial > policy.max_initial || clock.increment > policy.max_increment) return "tooSlow";
  return "";
}

std::string AgainstKind(const ChallengePolicy& policy, const Challenge& challenge) {
  const auto& variants = policy.variants;
  if (std::find(variants.begin(), variants.end(), challenge.variant) == variants.end()) {
    return variants.size() == 1 && variants.front() == "standard" ? "standard" : "variant";
  }
  // The key says what would be accepted.
  if (challenge.rated && !policy.rated) return "casual";
  if (!challenge.rated && !policy.casual) return "rated";
  return "";
}

std::string AgainstNow(const ChallengePolicy& policy, const Challenge& challenge, const Occupation& occupation) {
  const bool full = occupation.games >= policy.max_games ||
                    occupation.games_with_opponent >= policy.max_games_per_opponent ||
                    occupation.games_with_opponent_today >= policy.games_per_opponent_a_day ||
                    (challenge.from.IsBot() && occupation.bot_games_today >= policy.bot_games_a_day);
  return full || occupation.stopping ? "later" : "";
}

}  // namespace

std::string ReasonToDecline(const ChallengePolicy& policy, const Challenge& challenge, const Occupation& occupation) {
  if (!policy.accept) return "generic";
  std::string reason = AgainstOpponent(policy, challenge.from);
  if (reason.empty()) reason = AgainstKind(policy, challenge);
  if (reason.empty()) reason = AgainstClock(policy, challenge);
  const int rating = challenge.from.rating;
  if (reason.empty() && rating > 0 && (rating < policy.min_rating || rating > policy.max_rating)) reason = "generic";
  if (reason.empty()) reason = AgainstNow(policy, challenge, occupation);
  return reason;
}

}  // namespace kibitz::client::lichess
