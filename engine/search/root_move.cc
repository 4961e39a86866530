#include "engine/search/root_move.h"

#include <algorithm>

namespace kibitz {

void SortByValue(std::vector<RootMove>& moves, std::size_t begin, std::size_t end) {
  const auto first = moves.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto last = moves.begin() + static_cast<std::ptrdiff_t>(end);
  for (auto i = first; i != last; ++i) {
    const auto place = std::upper_bound(first, i, *i, [](const RootMove& a, const RootMove& b) {
      if (a.tablebase_rank != b.tablebase_rank) return a.tablebase_rank > b.tablebase_rank;
      return a.value != b.value ? a.value > b.value : a.previous > b.previous;
    });
    std::rotate(place, i, i + 1);
  }
}

}  // namespace kibitz
