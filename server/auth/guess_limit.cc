#include "server/auth/guess_limit.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace kibitz::server {

GuessLimit::Clock::duration GuessLimit::Wait(absl::string_view place, Clock::time_point now) const {
  std::lock_guard lock(mutex_);
  const auto found = places_.find(place);
  const Guesses& guesses = found == places_.end() ? others_ : found->second;
  if (guesses.count < bounds_.guesses || IsOver(guesses, now)) return Clock::duration::zero();
  return guesses.since + bounds_.period - now;
}

void GuessLimit::Count(absl::string_view place, Clock::time_point now) {
  std::lock_guard lock(mutex_);
  Guesses& guesses = Find(place, now);
  if (IsOver(guesses, now)) guesses = {.since = now, .count = 0};
  ++guesses.count;
}

GuessLimit::Guesses& GuessLimit::Find(absl::string_view place, Clock::time_point now) {
  if (const auto found = places_.find(place); found != places_.end()) return found->second;
  if (places_.size() >= bounds_.places) {
    absl::erase_if(places_, [&](const auto& each) { return IsOver(each.second, now); });
  }
  if (places_.size() >= bounds_.places) return others_;
  return places_[place] = {.since = now, .count = 0};
}

std::string GuessLimit::PlaceOf(absl::string_view peer) {
  const absl::string_view address = peer.substr(0, peer.rfind(':'));
  absl::string_view v6 = address;
  if (!absl::ConsumePrefix(&v6, "ipv6:")) return std::string(address);
  // Its brackets are escaped.
  const std::string text(absl::StripSuffix(absl::StripPrefix(v6, "%5B"), "%5D"));
  in6_addr bytes{};
  if (inet_pton(AF_INET6, text.c_str(), &bytes) != 1) return std::string(address);
  std::fill(std::begin(bytes.s6_addr) + 8, std::end(bytes.s6_addr), 0);
  char prefix[INET6_ADDRSTRLEN] = "";
  inet_ntop(AF_INET6, &bytes, prefix, sizeof(prefix));
  return absl::StrCat("ipv6:", prefix, "/64");
}

}  // namespace kibitz::server
