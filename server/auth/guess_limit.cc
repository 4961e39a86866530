#include "server/auth/guess_limit.h"

namespace kibitz::server {

GuessLimit::Clock::duration GuessLimit::Wait(const IpAddress& place, Clock::time_point now) const {
  std::lock_guard lock(mutex_);
  const auto found = places_.find(place);
  const Guesses& guesses = found == places_.end() ? others_ : found->second;
  if (guesses.count < bounds_.guesses || IsOver(guesses, now)) return Clock::duration::zero();
  return guesses.since + bounds_.period - now;
}

void GuessLimit::Count(const IpAddress& place, Clock::time_point now) {
  std::lock_guard lock(mutex_);
  Guesses& guesses = Find(place, now);
  if (IsOver(guesses, now)) guesses = {.since = now, .count = 0};
  ++guesses.count;
}

GuessLimit::Guesses& GuessLimit::Find(const IpAddress& place, Clock::time_point now) {
  if (const auto found = places_.find(place); found != places_.end()) return found->second;
  if (places_.size() >= bounds_.places) {
    absl::erase_if(places_, [&](const auto& each) { return IsOver(each.second, now); });
  }
  if (places_.size() >= bounds_.places) return others_;
  return places_[place] = {.since = now, .count = 0};
}

}  // namespace kibitz::server
