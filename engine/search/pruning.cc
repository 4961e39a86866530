// The steps that spare a node, or one of its moves, the search; and the one that gives a move more of it.

#include <algorithm>
#include <optional>

#include "engine/search/move_picker.h"
#include "engine/search/node_state.h"
#include "engine/search/reductions.h"
#include "engine/search/see.h"
#include "engine/search/worker.h"

namespace kibitz {

// Far above beta near the leaves: the opponent has gone wrong before. Far below alpha: only captures could help.
std::optional<Value> Worker::TryStaticPruning(Frame* frame, const NodeState& node, Value alpha, Value beta, int depth) {
  if (IsDecided(beta) || IsDecided(node.evaluation)) return std::nullopt;
  const int margin = 85 * depth - 70 * node.improving;
  if (depth <= 9 && node.evaluation - margin >= beta && !frame->on_pv) return (node.evaluation + beta) / 2;
  if (depth <= 3 && node.evaluation + 240 * depth < alpha) {
    const Value value = Quiesce<false>(frame, alpha, alpha + 1);
    if (value <= alpha) return value;
  }
  return std::nullopt;
}

// If passing still holds beta, a move will too.
std::optional<Value> Worker::TryNullMove(Frame* frame, const NodeState& node, Value beta, int depth, bool cut_node) {
  if (depth < 3 || !frame[-1].has_move || node.evaluation < beta || frame->evaluation < beta + 150 - 18 * depth ||
      frame->ply < null_move_floor_ || IsDecided(beta)) {
    return std::nullopt;
  }
  // A side with pawns only may be in zugzwang, where passing would look better than any move it has.
  if (OnlyPawnsLeft(position_.board(), position_.side_to_move())) return std::nullopt;
  const int reduced = depth - (4 + depth / 4 + std::min((node.evaluation - beta) / 180, 3));
  MakeNullMove(frame);
  const Value value = -Search<Node::kOther>(frame + 1, -beta, -beta + 1, reduced, !cut_node);
  UnmakeNullMove();
  if (stopped() || value < beta) return std::nullopt;
  const Value bounded = IsDecided(value) ? beta : value;
  if (depth < 14 || null_move_floor_ != 0) return bounded;
  // Deep in the tree a mistake is dear: look again, with moves.
  null_move_floor_ = frame->ply + reduced * 3 / 4;
  const Value verified = Search<Node::kOther>(frame, beta - 1, beta, reduced, false);
  null_move_floor_ = 0;
  if (!stopped() && verified >= beta) return bounded;
  return std::nullopt;
}

// A capture that holds a raised beta in a shallow search will hold beta in a deep one.
std::optional<Value> Worker::TryProbCut(Frame* frame, const NodeState& node, Value beta, int depth, bool cut_node) {
  const Value raised = beta + 190 - 60 * node.improving;
  if (depth < 5 || IsDecided(beta)) return std::nullopt;
  if (node.table_value != kNoValue && node.entry->depth >= depth - 3 && node.table_value < raised) return std::nullopt;
  OrderingHints hints = {.table_move = Move(), .killers = {}, .counter = Move(), .continuations = {}};
  if (!node.table_move.IsNone() && !IsQuiet(position_, node.table_move)) hints.table_move = node.table_move;
  MovePicker picker(position_, memory_.history, hints, MovePicker::Kind::kCaptures);
  for (Move move = picker.Next(); !move.IsNone(); move = picker.Next()) {
    if (move == frame->excluded || !SeeAtLeast(position_, move, raised - frame->evaluation)) continue;
    MakeMove(frame, move);
    Value value = -Quiesce<false>(frame + 1, -raised, -raised + 1);
    if (value >= raised) value = -Search<Node::kOther>(frame + 1, -raised, -raised + 1, depth - 4, !cut_node);
    UnmakeMove(move);
    if (stopped()) return std::nullopt;
    if (value >= raised) {
      LearnFromResult(frame, node, move, value, Bound::kLower, depth - 3);
      return IsDecided(value) ? value : value - (raised - beta);
    }
  }
  return std::nullopt;
}

// Moves that have no prospects so near the leaves.
bool Worker::IsWorthless(const Frame* frame, const Candidate& candidate, Value alpha, int depth) const {
  const auto& [move, number, quiet, history, extension] = candidate;
  if (!quiet) {
    const int margin = -110 * depth + std::clamp(history / 64, -80 * depth, 80 * depth) / 4;
    return !SeeAtLeast(position_, move, margin);
  }
  if (depth <= 6 && history < -3200 * depth) return true;
  const int reduced = std::max(0, depth - 1 - BaseReduction(depth, number) / kPly);
  const bool futile =
      !frame->in_check && reduced <= 8 && frame->evaluation + 110 + 95 * reduced + history / 160 <= alpha;
  if (futile && !position_.GivesCheck(move)) return true;
  return !SeeAtLeast(position_, move, -24 * reduced * reduced - 20);
}

// A move that alone keeps the value is looked at more deeply; one among many equals less.
int Worker::Extension(Frame* frame, NodeState& node, Move move, Value beta, int depth, bool cut_node) {
  const bool candidate = move == node.table_move && frame->excluded.IsNone() && depth >= 7 &&
                         node.table_value != kNoValue && !IsDecided(node.table_value) &&
                         (node.entry->bound == Bound::kLower || node.entry->bound == Bound::kExact) &&
                         node.entry->depth >= depth - 3 && frame->ply < 2 * root_depth_;
  if (!candidate) return 0;
  const Value singular_beta = node.table_value - 2 * depth;
  frame->excluded = move;
  const Value value = Search<Node::kOther>(frame, singular_beta - 1, singular_beta, (depth - 1) / 2, cut_node);
  frame->excluded = Move();
  if (stopped()) return 0;
  if (value < singular_beta) return !frame->on_pv && value < singular_beta - 18 ? 2 : 1;
  // Another move holds beta as well.
  if (singular_beta >= beta) node.multi_cut = singular_beta;
  if (node.table_value >= beta) return -2;
  return cut_node ? -1 : 0;
}

}  // namespace kibitz
