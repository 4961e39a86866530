#include "client/cli/suggestion.h"

#include <algorithm>

namespace kibitz::client {
namespace {

// The optimal string alignment distance: Levenshtein's, and two neighbours swapped count as one change.
std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + change});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string Nearest(std::string_view word, const std::vector<std::string>& candidates) {
  // Long words are no command of ours, and the table above grows with them.
  constexpr std::size_t kMaxLength = 40;
  std::string nearest;
  std::size_t min_distance = std::min<std::size_t>(word.size(), kMaxLength) / 2 + 1;
  if (word.size() > kMaxLength) return nearest;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = Distance(word, candidate);
    if (distance < min_distance) {
      min_distance = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace kibitz::client
