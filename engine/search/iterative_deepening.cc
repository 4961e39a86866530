#include "engine/search/iterative_deepening.h"

#include <algorithm>

namespace kibitz {
namespace {

// Each line is the best of the moves that the lines before it have left.
std::vector<SearchedLine> SearchLines(AlphaBeta& search, std::vector<Move>& root_moves, int multi_pv, int depth,
                                      const Stopper& stopper) {
  std::vector<SearchedLine> lines;
  std::vector<Move> rest = root_moves;
  std::vector<Move> order;
  while (!rest.empty() && static_cast<int>(lines.size()) < multi_pv) {
    SearchedLine line = search.SearchRoot(rest, depth);
    if (stopper.stopped()) return {};
    std::erase(rest, line.pv.front());
    order.push_back(line.pv.front());
    lines.push_back(std::move(line));
  }
  order.insert(order.end(), rest.begin(), rest.end());
  root_moves = std::move(order);
  return lines;
}

bool FoundMate(const Limits& limits, Value value) {
  return limits.mate && value > kMateThreshold && Score::FromValue(value).amount <= *limits.mate;
}

}  // namespace

StopReason DeepenIteratively(const Position& position, std::vector<Move> root_moves, int multi_pv, const Limits& limits,
                             Stopper& stopper, const std::function<void(const Iteration&)>& on_iteration) {
  AlphaBeta search(position, stopper);
  const int max_depth = std::min(limits.depth.value_or(kMaxSearchDepth), kMaxSearchDepth);
  for (int depth = 1; depth <= max_depth; ++depth) {
    std::vector<SearchedLine> lines = SearchLines(search, root_moves, multi_pv, depth, stopper);
    if (stopper.stopped()) return stopper.reason();
    const Value best = lines.front().value;
    on_iteration({depth, search.seldepth(), std::move(lines)});
    if (FoundMate(limits, best)) return StopReason::kMate;
  }
  return StopReason::kDepth;
}

}  // namespace kibitz
