#include "engine/search/worker.h"

namespace kibitz {

Worker::Worker(const Position& root, TranspositionTable& table, WorkerMemory& memory, Stopper& stopper,
               SearchHost& host, const WorkerOptions& options)
    : position_(root), table_(table), memory_(memory), options_(options), counter_(stopper, host, options.is_main) {
  position_.ForgetUndo();
  memory_.evaluator->Reset(position_);
}

Value Worker::SearchRoot(std::vector<RootMove>& root_moves, std::size_t first, int depth, Window window) {
  root_.BeginLine(root_moves, first, depth);
  const Value value = Search<NodeType::kRoot>(frames_.root(), window, depth, /*cut_node=*/false);
  SortByValue(root_moves, first, root_moves.size());
  return value;
}

void Worker::MakeMove(Frame* frame, Move move) {
  frame->has_move = true;
  frame->piece_to = PieceToOf(position_, move);
  frame->continuation = &memory_.history.After(frame->piece_to);
  memory_.evaluator->OnMakeMove(position_, move);
  position_.MakeMove(move);
  table_.Prefetch(position_.key());
}

void Worker::UnmakeMove(Move move) {
  position_.UnmakeMove(move);
  memory_.evaluator->OnUnmakeMove();
}

void Worker::MakeNullMove(Frame* frame) {
  frame->has_move = false;
  frame->continuation = frames_.no_continuation();
  memory_.evaluator->OnMakeNullMove();
  position_.MakeNullMove();
  table_.Prefetch(position_.key());
}

void Worker::UnmakeNullMove() {
  position_.UnmakeNullMove();
  memory_.evaluator->OnUnmakeNullMove();
}

void Worker::Store(const Frame* frame, const Node& node, const NodeResult& result) {
  table_.Store(position_.key(), {.move = result.move,
                                 .value = ToTable(result.value, frame->ply),
                                 .evaluation = node.raw_evaluation,
                                 .depth = result.depth,
                                 .bound = result.bound,
                                 .on_pv = frame->on_pv});
}

}  // namespace kibitz
