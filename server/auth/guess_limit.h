// A bound on wrong keys from one place: an IPv4 address, or the /64 of an IPv6 address.

#ifndef KIBITZ_SERVER_AUTH_GUESS_LIMIT_H_
#define KIBITZ_SERVER_AUTH_GUESS_LIMIT_H_

#include <chrono>
#include <cstddef>
#include <mutex>

#include "absl/container/flat_hash_map.h"
#include "server/rpc/peer_address.h"

namespace kibitz::server {

// Nobody guesses 256 random bits; but whoever tries, or sends a wrong key again and again by mistake, is told to wait.
// A right key is not its business: whoever shares an address with somebody who guesses, behind a proxy, gets in.
//
// All methods may be called from any thread.
class GuessLimit {
 public:
  using Clock = std::chrono::steady_clock;

  struct Bounds {
    int guesses = 20;
    std::chrono::seconds period{60};
    // Places that are remembered one by one. When there are more, the others are taken for one.
    std::size_t places = 10'000;
  };

  GuessLimit() : GuessLimit(Bounds()) {}
  explicit GuessLimit(const Bounds& bounds) : bounds_(bounds) {}

  // Places are told as PeerGroup does. How long one with too many wrong keys is told to wait; zero for all others.
  Clock::duration Wait(const IpAddress& place, Clock::time_point now) const;
  // Another wrong key came from there.
  void Count(const IpAddress& place, Clock::time_point now);

 private:
  struct Guesses {
    Clock::time_point since;
    int count = 0;
  };

  bool IsOver(const Guesses& guesses, Clock::time_point now) const { return now - guesses.since >= bounds_.period; }
  // The guesses of a place, or those of all places that there is no room for. Under the lock.
  Guesses& Find(const IpAddress& place, Clock::time_point now);

  const Bounds bounds_;
  mutable std::mutex mutex_;  // guards what follows
  absl::flat_hash_map<IpAddress, Guesses> places_;
  Guesses others_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_AUTH_GUESS_LIMIT_H_
