// Below the leaves of the tree: captures and answers to checks, until the position is quiet.

#include <algorithm>

#include "engine/search/move_picker.h"
#include "engine/search/node_state.h"
#include "engine/search/piece_value.h"
#include "engine/search/worker.h"

namespace kibitz {

template <bool kPv>
Value Worker::Quiesce(Frame* frame, Value alpha, Value beta) {
  if (CountNode()) return kDraw;
  frame->in_check = position_.InCheck();
  frame->pv.Clear();
  if constexpr (kPv) seldepth_ = std::max(seldepth_, frame->ply);
  if (IsDraw(frame)) return DrawValue();
  if (frame->ply >= kMaxPly) return frame->in_check ? kDraw : memory_.evaluator->Evaluate(position_);

  NodeState node;
  node.entry = table_.Probe(position_.key());
  if (node.entry) {
    node.table_value = FromTable(node.entry->value, frame->ply);
    if (!node.entry->move.IsNone() && position_.IsLegal(node.entry->move)) node.table_move = node.entry->move;
  }
  frame->on_pv = kPv || (node.entry && node.entry->on_pv);
  if (!kPv && node.Settles(beta)) return node.table_value;

  Evaluate(frame, node);
  Value best = -kInfinite;
  Value futility = -kInfinite;
  if (!frame->in_check) {
    best = node.evaluation;
    if (best >= beta) {
      if (!node.entry) LearnFromQuiescence(frame, node, Move(), best, Bound::kLower);
      return best;
    }
    alpha = std::max(alpha, best);
    futility = frame->evaluation + 190;
    if (!node.table_move.IsNone() && IsQuiet(position_, node.table_move)) node.table_move = Move();
  }

  const OrderingHints hints = {
      .table_move = node.table_move,
      .killers = {},
      .counter = Move(),
      .continuations = {frame[-1].continuation, frame[-2].continuation, frame[-4].continuation}};
  MovePicker picker(position_, memory_.history, hints, MovePicker::Kind::kCaptures);
  const Value old_alpha = alpha;
  Move best_move;
  int move_count = 0;
  int quiet_evasions = 0;
  for (Move move = picker.Next(); !move.IsNone(); move = picker.Next()) {
    ++move_count;
    if (!frame->in_check && futility != -kInfinite && move.kind() == Move::Kind::kNormal) {
      // Even won for nothing, the captured piece does not bring us to alpha.
      const Value reach = futility + PieceValue(CapturedType(position_, move));
      if (reach <= alpha) {
        best = std::max(best, reach);
        continue;
      }
    }
    // One quiet evasion that does not lose at once is enough.
    if (frame->in_check && IsQuiet(position_, move)) {
      if (quiet_evasions > 0 && best > -kTablebaseThreshold) break;
      ++quiet_evasions;
    }
    MakeMove(frame, move);
    const Value value = -Quiesce<kPv>(frame + 1, -beta, -alpha);
    UnmakeMove(move);
    if (stopped()) return kDraw;
    if (value > best) {
      best = value;
      if (value > alpha) {
        best_move = move;
        if constexpr (kPv) frame->pv.Set(move, frame[1].pv);
        if (value >= beta) break;
        alpha = value;
      }
    }
  }
  if (frame->in_check && move_count == 0) return MatedIn(frame->ply);
  const Bound bound = best >= beta ? Bound::kLower : kPv && best > old_alpha ? Bound::kExact : Bound::kUpper;
  LearnFromQuiescence(frame, node, best_move, best, bound);
  return best;
}

template Value Worker::Quiesce<false>(Frame*, Value, Value);
template Value Worker::Quiesce<true>(Frame*, Value, Value);

}  // namespace kibitz
