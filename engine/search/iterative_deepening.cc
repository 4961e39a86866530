#include "engine/search/iterative_deepening.h"

#include <algorithm>
#include <cstdlib>

#include "engine/search/window.h"

namespace kibitz {
namespace {

// Searches a line in a window around what the last iteration found, and widens it until the value lies inside.
void SearchLine(Worker& worker, std::vector<RootMove>& root_moves, std::size_t first, int depth) {
  const Value expected = root_moves[first].previous;
  int margin = 12 + (expected == -kInfinite ? 0 : std::abs(expected) / 40);
  Window window;
  if (depth >= 4 && expected != -kInfinite) {
    window = {std::max(expected - margin, -kInfinite), std::min(expected + margin, kInfinite)};
  }
  int fail_highs = 0;
  while (true) {
    const Value value = worker.SearchRoot(root_moves, first, std::max(1, depth - fail_highs), window);
    if (worker.stopped()) return;
    if (value <= window.alpha) {
      window.beta = (window.alpha + window.beta) / 2;
      window.alpha = std::max(value - margin, -kInfinite);
      fail_highs = 0;
    } else if (value >= window.beta) {
      window.beta = std::min(value + margin, kInfinite);
      fail_highs = std::min(fail_highs + 1, 3);
    } else {
      return;
    }
    margin += margin / 2;
    if (margin > 800) window = {};
  }
}

void SearchLines(Worker& worker, std::vector<RootMove>& root_moves, int lines, int depth) {
  for (RootMove& root_move : root_moves) root_move.previous = root_move.value;
  for (int line = 0; line < lines && !worker.stopped(); ++line) {
    SearchLine(worker, root_moves, static_cast<std::size_t>(line), depth);
  }
  SortByValue(root_moves, 0, static_cast<std::size_t>(lines));
}

// Keeps an eye on how sure the search is of its move, and ends it when the time is well spent.
class SoftTime {
 public:
  SoftTime(Worker& worker, Stopper& stopper) : worker_(worker), stopper_(stopper) {}

  void AfterIteration(const std::vector<RootMove>& root_moves) {
    const RootMove& best = root_moves.front();
    stable_ = best.move == last_best_ ? stable_ + 1 : 0;
    last_best_ = best.move;
    const int drop = best.previous == -kInfinite ? 0 : best.previous - best.value;
    const std::int64_t nodes = std::max<std::int64_t>(1, worker_.nodes());
    const int scale = SoftTimeScale(stable_, drop, static_cast<int>(best.nodes * 1000 / nodes));
    stopper_.CheckSoftTime(scale, root_moves.size() == 1);
  }

 private:
  Worker& worker_;
  Stopper& stopper_;
  Move last_best_;
  int stable_ = 0;
};

bool FoundMate(const Limits& limits, Value value) {
  return limits.mate && value > kMateThreshold && Score::FromValue(value).amount <= *limits.mate;
}

}  // namespace

void DeepenIteratively(Worker& worker, std::vector<RootMove>& root_moves, int lines, Stopper& stopper,
                       const std::function<void(const Iteration&)>& on_progress) {
  const int wanted = std::min(lines, static_cast<int>(root_moves.size()));
  const int max_depth = std::min(stopper.limits().depth.value_or(kMaxSearchDepth), kMaxSearchDepth);
  SoftTime soft_time(worker, stopper);
  for (int depth = 1; depth <= max_depth; ++depth) {
    SearchLines(worker, root_moves, wanted, depth);
    if (stopper.stopped()) return;
    on_progress({depth, root_moves, wanted});
    if (FoundMate(stopper.limits(), root_moves.front().value)) stopper.Stop(StopReason::kMate);
    soft_time.AfterIteration(root_moves);
    if (stopper.stopped()) return;
  }
  stopper.Stop(StopReason::kDepth);
}

void HelpDeepening(Worker& worker, std::vector<RootMove> root_moves, int helper, const Stopper& stopper) {
  // Every second helper is a ply ahead, so that they do not all walk the same tree.
  for (int depth = 1 + helper % 2; !stopper.stopped() && depth <= kMaxSearchDepth; ++depth) {
    SearchLines(worker, root_moves, 1, depth);
  }
}

}  // namespace kibitz
