#include "engine/search/worker.h"

#include <algorithm>

namespace kibitz {
namespace {

// A node's clues come from up to four plies above it; two frames more spare the search all tests at its ends.
constexpr int kFramesAbove = 6;
constexpr int kFramesBelow = 4;
constexpr std::int64_t kCheckpointNodes = 1024;

}  // namespace

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

Worker::Worker(const Position& root, TranspositionTable& table, WorkerMemory& memory, Stopper& stopper,
               SearchHost& host, bool is_main)
    : position_(root),
      table_(table),
      memory_(memory),
      stopper_(stopper),
      host_(host),
      is_main_(is_main),
      frames_(kFramesAbove + kMaxPly + kFramesBelow) {
  position_.ForgetUndo();
  memory_.evaluator->Reset(position_);
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    frames_[i].ply = static_cast<int>(i) - kFramesAbove;
    frames_[i].continuation = &no_continuation_;
  }
  SetNextCheckpoint(0);
}

// A node limit is met exactly by a worker that is alone.
void Worker::SetNextCheckpoint(std::int64_t nodes) {
  next_checkpoint_ = nodes + kCheckpointNodes;
  if (is_main_ && stopper_.limits().nodes) next_checkpoint_ = std::min(next_checkpoint_, *stopper_.limits().nodes);
}

void Worker::Checkpoint(std::int64_t nodes) {
  SetNextCheckpoint(nodes);
  if (is_main_) {
    stopper_.CheckLimits(nodes);
  } else {
    stopper_.AddHelperWork(kCheckpointNodes, tb_hits() - reported_tb_hits_);
    reported_tb_hits_ = tb_hits();
  }
  if (!stopper_.stopped()) host_.Checkpoint(stopper_);
}

// The moves that are searched now: from the first that is not taken on, as long as tablebases call them equals.
RootMove* Worker::FindRootMove(Move move) {
  const int rank = (*root_moves_)[first_root_move_].tablebase_rank;
  const auto found =
      std::find_if(root_moves_->begin() + static_cast<std::ptrdiff_t>(first_root_move_), root_moves_->end(),
                   [&](const RootMove& each) { return each.move == move && each.tablebase_rank == rank; });
  return found == root_moves_->end() ? nullptr : &*found;
}

// Moves that did not come up to alpha have no value of their own: they sort behind, in the order they had.
void Worker::NoteRootValue(RootMove& root_move, Value value, Value alpha, Value beta, bool first,
                           const Variation& rest) {
  if (!first && value <= alpha) {
    root_move.value = -kInfinite;
    return;
  }
  root_move.value = value;
  root_move.bound = value >= beta ? Score::Bound::kLower : value <= alpha ? Score::Bound::kUpper : Score::Bound::kExact;
  root_move.seldepth = seldepth_;
  Variation line;
  line.Set(root_move.move, rest);
  root_move.pv = line.ToVector();
}

Value Worker::SearchRoot(std::vector<RootMove>& root_moves, std::size_t first, int depth, Value alpha, Value beta) {
  root_moves_ = &root_moves;
  first_root_move_ = first;
  root_depth_ = depth;
  seldepth_ = 0;
  const Value value = Search<Node::kRoot>(&frames_[kFramesAbove], alpha, beta, depth, false);
  SortByValue(root_moves, first, root_moves.size());
  return value;
}

}  // namespace kibitz
