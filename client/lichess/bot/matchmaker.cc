#include "client/lichess/bot/matchmaker.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "absl/strings/ascii.h"

namespace kibitz::client::lichess {

Matchmaker::Matchmaker(const MatchmakingPolicy& policy, const ChallengePolicy& challenges, std::string us,
                       std::uint64_t seed)
    : policy_(policy), challenges_(challenges), us_(std::move(us)), random_(seed) {}

bool Matchmaker::IsWanted(const OnlineBot& bot, absl::Time now) const {
  const auto is_it = [&](const std::string& name) { return absl::AsciiStrToLower(name) == bot.player.id; };
  const auto& block = challenges_.block;
  const auto& only = challenges_.only;
  if (bot.player.id == us_ || std::any_of(block.begin(), block.end(), is_it)) return false;
  if (!only.empty() && std::none_of(only.begin(), only.end(), is_it)) return false;
  const auto asked = asked_.find(bot.player.id);
  return asked == asked_.end() || now - asked->second >= policy_.pause_per_opponent;
}

std::optional<Matchmaker::Choice> Matchmaker::Choose(const std::vector<OnlineBot>& online, absl::Time now) {
  Touch(now);
  if (policy_.clocks.empty()) return std::nullopt;
  const ClockControl& clock = policy_.clocks[random_() % policy_.clocks.size()];
  const std::string speed = SpeedOf(clock);
  const auto us =
      std::find_if(online.begin(), online.end(), [&](const OnlineBot& bot) { return bot.player.id == us_; });
  const int ours = us == online.end() ? 0 : us->RatingFor(speed);
  std::vector<const OnlineBot*> wanted;
  for (const OnlineBot& bot : online) {
    const int theirs = bot.RatingFor(speed);
    const bool near = ours == 0 || theirs == 0 || std::abs(theirs - ours) <= policy_.rating_distance;
    if (near && IsWanted(bot, now)) wanted.push_back(&bot);
  }
  if (wanted.empty()) return std::nullopt;
  const Player& opponent = wanted[random_() % wanted.size()]->player;
  // What is long over need not be remembered.
  std::erase_if(asked_, [&](const auto& each) { return now - each.second >= policy_.pause_per_opponent; });
  asked_[opponent.id] = now;
  return Choice{.opponent = opponent, .offer = {.rated = policy_.rated, .clock = clock}};
}

}  // namespace kibitz::client::lichess
