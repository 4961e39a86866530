// The steps that spare a node, or one of its moves, the search; and the one that gives a move more of it.

#include <algorithm>
#include <optional>

#include "engine/search/move_picker.h"
#include "engine/search/reductions.h"
#include "engine/search/see.h"
#include "engine/search/worker.h"

namespace kibitz {

// Far above beta near the leaves: the opponent has gone wrong before. Far below alpha: only captures could help.
std::optional<Value> Worker::TryStaticPruning(Frame* frame, const Node& node) {
  if (IsDecided(node.beta) || IsDecided(node.evaluation)) return std::nullopt;
  const int margin = 85 * node.depth - 70 * node.improving;
  if (node.depth <= 9 && node.evaluation - margin >= node.beta && !frame->on_pv) {
    return (node.evaluation + node.beta) / 2;
  }
  if (node.depth <= 3 && node.evaluation + 240 * node.depth < node.alpha) {
    const Value value = Quiesce<false>(frame, Window::Above(node.alpha));
    if (value <= node.alpha) return value;
  }
  return std::nullopt;
}

// If passing still holds beta, a move will too.
std::optional<Value> Worker::TryNullMove(Frame* frame, const Node& node) {
  const Value beta = node.beta;
  if (node.depth < 3 || !frame[-1].has_move || node.evaluation < beta ||
      frame->evaluation < beta + 150 - 18 * node.depth || frame->ply < null_move_floor_ || IsDecided(beta)) {
    return std::nullopt;
  }
  // A side with pawns only may be in zugzwang, where passing would look better than any move it has.
  if (OnlyPawnsLeft(position_.board(), position_.side_to_move())) return std::nullopt;
  const int reduced = node.depth - (4 + node.depth / 4 + std::min((node.evaluation - beta) / 180, 3));
  MakeNullMove(frame);
  const Value value = -Search<NodeType::kOther>(frame + 1, -Window::Below(beta), reduced, !node.cut_node);
  UnmakeNullMove();
  if (stopped() || value < beta) return std::nullopt;
  const Value bounded = IsDecided(value) ? beta : value;
  if (node.depth < 14 || null_move_floor_ != 0) return bounded;
  // Deep in the tree a mistake is dear: look again, with moves.
  null_move_floor_ = frame->ply + reduced * 3 / 4;
  const Value verified = Search<NodeType::kOther>(frame, Window::Below(beta), reduced, false);
  null_move_floor_ = 0;
  if (!stopped() && verified >= beta) return bounded;
  return std::nullopt;
}

// A capture that holds a raised beta in a shallow search will hold beta in a deep one.
std::optional<Value> Worker::TryProbCut(Frame* frame, const Node& node) {
  const Value raised = node.beta + 190 - 60 * node.improving;
  if (node.depth < 5 || IsDecided(node.beta)) return std::nullopt;
  if (node.table_value != kNoValue && node.entry->depth >= node.depth - 3 && node.table_value < raised) {
    return std::nullopt;
  }
  const Window window = -Window::Below(raised);
  OrderingHints hints = {.table_move = Move(), .killers = {}, .counter = Move(), .continuations = {}};
  if (!node.table_move.IsNone() && !IsQuiet(position_, node.table_move)) hints.table_move = node.table_move;
  MovePicker picker(position_, memory_.history, hints, MovePicker::Kind::kCaptures);
  for (Move move = picker.Next(); !move.IsNone(); move = picker.Next()) {
    if (!SeeAtLeast(position_, move, raised - frame->evaluation)) continue;
    MakeMove(frame, move);
    Value value = -Quiesce<false>(frame + 1, window);
    if (value >= raised) value = -Search<NodeType::kOther>(frame + 1, window, node.depth - 4, !node.cut_node);
    UnmakeMove(move);
    if (stopped()) return std::nullopt;
    if (value >= raised) {
      StoreAndLearn(frame, node, {move, value, Bound::kLower, node.depth - 3});
      return IsDecided(value) ? value : value - (raised - node.beta);
    }
  }
  return std::nullopt;
}

// Moves that have no prospects so near the leaves.
bool Worker::IsWorthless(const Frame* frame, const Node& node, const Candidate& candidate) const {
  const auto& [move, number, quiet, history, extension] = candidate;
  const int depth = node.depth;
  if (!quiet) {
    const int margin = -110 * depth + std::clamp(history / 64, -80 * depth, 80 * depth) / 4;
    return !SeeAtLeast(position_, move, margin);
  }
  if (depth <= 6 && history < -3200 * depth) return true;
  const int reduced = std::max(0, depth - 1 - BaseReduction(depth, number) / kPly);
  const bool futile =
      !frame->in_check && reduced <= 8 && frame->evaluation + 110 + 95 * reduced + history / 160 <= node.alpha;
  if (futile && !position_.GivesCheck(move)) return true;
  return !SeeAtLeast(position_, move, -24 * reduced * reduced - 20);
}

// The table's move: if it alone keeps the value it is looked at more deeply, as one among equals less. If another holds
// beta as well, the node is settled by that.
std::optional<Value> Worker::TryExtension(Frame* frame, const Node& node, Candidate& candidate) {
  const bool may_be_singular = frame->excluded.IsNone() && node.depth >= 7 && node.table_value != kNoValue &&
                               !IsDecided(node.table_value) &&
                               (node.entry->bound == Bound::kLower || node.entry->bound == Bound::kExact) &&
                               node.entry->depth >= node.depth - 3 && frame->ply < 2 * root_.depth();
  if (!may_be_singular) return std::nullopt;
  const Value singular_beta = node.table_value - 2 * node.depth;
  frame->excluded = candidate.move;
  const Value value =
      Search<NodeType::kOther>(frame, Window::Below(singular_beta), (node.depth - 1) / 2, node.cut_node);
  frame->excluded = Move();
  if (stopped()) return std::nullopt;
  if (value < singular_beta) {
    candidate.extension = !frame->on_pv && value < singular_beta - 18 ? 2 : 1;
    return std::nullopt;
  }
  if (singular_beta >= node.beta) return singular_beta;
  candidate.extension = node.table_value >= node.beta ? -2 : node.cut_node ? -1 : 0;
  return std::nullopt;
}

}  // namespace kibitz
