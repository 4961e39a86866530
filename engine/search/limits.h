// When a search has to end.

#ifndef KIBITZ_ENGINE_SEARCH_LIMITS_H_
#define KIBITZ_ENGINE_SEARCH_LIMITS_H_

#include <chrono>
#include <cstdint>
#include <optional>

namespace kibitz {

inline constexpr int kMaxSearchDepth = 240;

// The search ends at the first of the limits that are set. With none it goes on until it is stopped.
struct Limits {
  // The chess clock of both sides, indexed by Color.
  struct Clock {
    std::chrono::milliseconds time[2]{};
    std::chrono::milliseconds increment[2]{};
    int moves_to_go = 0;  // 0: the rest of the game
  };
  std::optional<int> depth;
  std::optional<std::int64_t> nodes;
  std::optional<std::chrono::milliseconds> movetime;
  std::optional<int> mate;
  std::optional<Clock> clock;
  // What a move costs beside thinking; kept off the clock.
  std::chrono::milliseconds move_overhead{10};
  // Time does not count until the opponent has played the move that is pondered on.
  bool ponder = false;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_LIMITS_H_
