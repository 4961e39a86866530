// Who plays whom, with which colours, from which opening.

#ifndef KIBITZ_CLIENT_MATCH_SCHEDULE_H_
#define KIBITZ_CLIENT_MATCH_SCHEDULE_H_

#include <cstdint>
#include <utility>
#include <vector>

namespace kibitz::client {

enum class MatchFormat : std::uint8_t {
  kRoundRobin,  // everybody against everybody; a match, for two
  kGauntlet,    // the first against all others
};

// Players are known by their place in the list.
struct ScheduledGame {
  int index = 0;    // of all games
  int pairing = 0;  // who meets whom: an index into Schedule::pairings
  int opening = 0;
  bool reversed = false;  // whether the pairing's second player has White
  int white = 0;
  int black = 0;

  // The two games of one opening and pairing.
  int pair() const { return index / 2; }
};

// All games in the order in which they are played: by opening, then by pairing, both colours one after the other. So
// the match can end after any pair and has been fair to all.
class Schedule {
 public:
  // Each pairing plays `openings` openings twice.
  Schedule(int players, MatchFormat format, int openings);

  int size() const { return openings_ * static_cast<int>(pairings_.size()) * 2; }
  ScheduledGame At(int index) const;
  const std::vector<std::pair<int, int>>& pairings() const { return pairings_; }

 private:
  std::vector<std::pair<int, int>> pairings_;
  int openings_;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_MATCH_SCHEDULE_H_
