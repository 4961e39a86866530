// When a search has to end.

#ifndef KIBITZ_ENGINE_SEARCH_LIMITS_H_
#define KIBITZ_ENGINE_SEARCH_LIMITS_H_

#include <chrono>
#include <cstdint>
#include <optional>

namespace kibitz {

inline constexpr int kMaxSearchDepth = 120;

// The search ends at the first of the limits that are set.
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
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_LIMITS_H_
