#include "engine/search/root.h"

namespace kibitz {

void Root::BeginLine(std::vector<RootMove>& moves, std::size_t first, int depth) {
  moves_ = &moves;
  first_ = first;
  depth_ = depth;
  seldepth_ = 0;
}

RootMove* Root::Find(Move move) {
  const int rank = (*moves_)[first_].tablebase_rank;
  const auto found =
      std::find_if(moves_->begin() + static_cast<std::ptrdiff_t>(first_), moves_->end(),
                   [&](const RootMove& each) { return each.move == move && each.tablebase_rank == rank; });
  return found == moves_->end() ? nullptr : &*found;
}

void Root::OnMove(const RootMove& move, int number) {
  if (watcher_ != nullptr) watcher_->OnMove(move, static_cast<int>(first_) + number);
}

void Root::OnValue(RootMove& move, int number, Value value, Window window, const Variation& rest) {
  const bool better = value > window.alpha;
  if (number > 1 && !better) {
    // It did not come up to alpha and has no value of its own: it sorts behind, in the order it had.
    move.value = -kInfinite;
    return;
  }
  move.value = value;
  move.bound = value >= window.beta ? Score::Bound::kLower : better ? Score::Bound::kExact : Score::Bound::kUpper;
  move.seldepth = seldepth_;
  Variation line;
  line.Set(move.move, rest);
  move.pv = line.ToVector();
  if (number > 1 && IsFirstLine() && watcher_ != nullptr) watcher_->OnBetterMove(move, depth_);
}

}  // namespace kibitz
