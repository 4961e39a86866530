// Below the leaves of the tree: captures and answers to checks, until the position is quiet.

#include <algorithm>

#include "engine/search/move_picker.h"
#include "engine/search/piece_value.h"
#include "engine/search/worker.h"

namespace kibitz {

template <bool kPv>
Value Worker::Quiesce(Frame* frame, Window window) {
  if (counter_.CountNode()) return kDraw;
  frame->in_check = position_.InCheck();
  frame->pv.Clear();
  if constexpr (kPv) root_.ReachPly(frame->ply);
  if (IsDraw(frame)) return DrawValue();
  if (frame->ply >= kMaxPly) return ValueAtMaxPly(frame);

  Node node(window, /*its_depth=*/0, /*is_cut_node=*/false);
  ProbeTable(frame, node);
  frame->on_pv = kPv || (node.entry && node.entry->on_pv);
  if (!kPv && node.IsSettledByTable()) return node.table_value;

  Evaluate(frame, node);
  Value futility = -kInfinite;
  if (!frame->in_check) {
    node.best = node.evaluation;
    if (node.best >= node.beta) {
      if (!node.entry) Store(frame, node, {Move(), node.best, Bound::kLower, node.depth});
      return node.best;
    }
    node.alpha = std::max(node.alpha, node.best);
    futility = frame->evaluation + 190;
    if (!node.table_move.IsNone() && IsQuiet(position_, node.table_move)) node.table_move = Move();
  }

  const OrderingHints hints = {
      .table_move = node.table_move,
      .killers = {},
      .counter = Move(),
      .continuations = {frame[-1].continuation, frame[-2].continuation, frame[-4].continuation}};
  MovePicker picker(position_, memory_.history, hints, MovePicker::Kind::kCaptures);
  const Value old_alpha = node.alpha;
  int move_count = 0;
  int quiet_evasions = 0;
  for (Move move = picker.Next(); !move.IsNone(); move = picker.Next()) {
    ++move_count;
    if (!frame->in_check && futility != -kInfinite && move.kind() == Move::Kind::kNormal) {
      // Even won for nothing, the captured piece does not bring us to alpha.
      const Value reach = futility + PieceValue(CapturedType(position_, move));
      if (reach <= node.alpha) {
        node.best = std::max(node.best, reach);
        continue;
      }
    }
    // One quiet evasion that does not lose at once is enough.
    if (frame->in_check && IsQuiet(position_, move)) {
      if (quiet_evasions > 0 && node.best > -kTablebaseThreshold) break;
      ++quiet_evasions;
    }
    MakeMove(frame, move);
    const Value value = -Quiesce<kPv>(frame + 1, -Window{node.alpha, node.beta});
    UnmakeMove(move);
    if (stopped()) return kDraw;
    if (value > node.best) {
      node.best = value;
      if (value > node.alpha) {
        node.best_move = move;
        if constexpr (kPv) frame->pv.Set(move, frame[1].pv);
        if (value >= node.beta) break;
        node.alpha = value;
      }
    }
  }
  if (frame->in_check && move_count == 0) return MatedIn(frame->ply);
  const Bound bound = node.best >= node.beta         ? Bound::kLower
                      : kPv && node.best > old_alpha ? Bound::kExact
                                                     : Bound::kUpper;
  Store(frame, node, {node.best_move, node.best, bound, node.depth});
  return node.best;
}

template Value Worker::Quiesce<false>(Frame*, Window);
template Value Worker::Quiesce<true>(Frame*, Window);

}  // namespace kibitz
