// The tree search of one worker: principal variation search.

#include <algorithm>
#include <optional>

#include "engine/search/learning.h"
#include "engine/search/move_picker.h"
#include "engine/search/reductions.h"
#include "engine/search/worker.h"

namespace kibitz {
namespace {

// Whether our evaluation is better than at our last move, or the one before that if we were in check then.
bool IsImproving(const Frame* frame) {
  if (frame->in_check) return false;
  if (frame[-2].evaluation != kNoValue) return frame->evaluation > frame[-2].evaluation;
  if (frame[-4].evaluation != kNoValue) return frame->evaluation > frame[-4].evaluation;
  return true;
}

}  // namespace

bool Worker::IsDraw(const Frame* frame) const {
  if (position_.halfmove_clock() >= 100 && (!frame->in_check || position_.HasLegalMove())) return true;
  return position_.IsRepetition(frame->ply) || position_.HasInsufficientMaterial();
}

// Never quite the same, so that a search does not mistake one repetition for another.
Value Worker::DrawValue() const { return kDraw - 1 + static_cast<Value>(nodes() & 2); }

Value Worker::ValueAtMaxPly(const Frame* frame) const {
  return frame->in_check ? kDraw : memory_.evaluator->Evaluate(position_);
}

void Worker::ProbeTable(const Frame* frame, Node& node) const {
  node.entry = table_.Probe(position_.key());
  if (!node.entry) return;
  node.table_value = FromTable(node.entry->value, frame->ply);
  if (!node.entry->move.IsNone() && position_.IsLegal(node.entry->move)) node.table_move = node.entry->move;
}

void Worker::Evaluate(Frame* frame, Node& node) const {
  if (frame->in_check) {
    frame->evaluation = node.evaluation = kNoValue;
    return;
  }
  const bool known = node.entry && node.entry->evaluation != kNoValue;
  node.raw_evaluation =
      known ? node.entry->evaluation : memory_.evaluator->Evaluate(position_) + options_.noise.At(position_.key());
  frame->evaluation = node.evaluation = CorrectedEvaluation(memory_.history, position_, frame, node.raw_evaluation);
  if (node.table_value == kNoValue || IsDecided(node.table_value)) return;
  const Bound bound = node.entry->bound;
  const bool higher = node.table_value > node.evaluation;
  if (bound == Bound::kExact || bound == (higher ? Bound::kLower : Bound::kUpper)) node.evaluation = node.table_value;
}

// A move's value: late moves are tried with less depth, all but the first with no window, and looked at again if they
// turn out better than that.
template <NodeType kType>
Value Worker::SearchMove(Frame* frame, const Node& node, const Candidate& candidate) {
  constexpr bool kPv = kType != NodeType::kOther;
  const auto& [move, number, quiet, history, extension] = candidate;
  const Value alpha = node.alpha;
  const Window null_window = -Window::Above(alpha);
  const int new_depth = node.depth - 1 + extension;
  MakeMove(frame, move);
  Value value = kNoValue;
  if (node.depth >= 2 && number > 1 + (kType == NodeType::kRoot)) {
    int reduction = BaseReduction(node.depth, number);
    reduction += kPly * !node.improving / 2 + 2 * kPly * node.cut_node - kPly * (frame->on_pv + kPv);
    reduction += kPly * (frame[1].cutoffs > 3);
    if (!quiet) reduction -= kPly;
    if (position_.InCheck()) reduction -= kPly;
    reduction -= quiet ? history / 10 : history / 12;
    const int reduced = std::clamp(new_depth - reduction / kPly, 1, new_depth + (kPv ? 1 : 0));
    value = -Search<NodeType::kOther>(frame + 1, null_window, reduced, true);
    if (value > alpha && reduced < new_depth) {
      const int deeper = new_depth + (value > node.best + 50) - (value < node.best + 8);
      if (deeper > reduced) value = -Search<NodeType::kOther>(frame + 1, null_window, deeper, !node.cut_node);
      const int bonus = HistoryBonus(node.depth);
      if (quiet) UpdateContinuations(frame, frame->piece_to, value > alpha ? bonus : -bonus);
    }
  } else if (!kPv || number > 1) {
    value = -Search<NodeType::kOther>(frame + 1, null_window, new_depth, !node.cut_node);
  }
  if (kPv && (number == 1 || value > alpha)) {
    value = -Search<NodeType::kPv>(frame + 1, -Window{alpha, node.beta}, new_depth, false);
  }
  UnmakeMove(move);
  return value;
}

template <NodeType kType>
Value Worker::Search(Frame* frame, Window window, int depth, bool cut_node) {
  constexpr bool kRoot = kType == NodeType::kRoot;
  constexpr bool kPv = kType != NodeType::kOther;
  if (depth <= 0) return Quiesce<kPv>(frame, window);
  if (counter_.CountNode()) return kDraw;
  Node node(window, std::min(depth, kMaxPly - 1), cut_node);
  frame->in_check = position_.InCheck();
  frame->pv.Clear();
  if constexpr (kPv) root_.ReachPly(frame->ply);
  if constexpr (!kRoot) {
    if (IsDraw(frame)) return DrawValue();
    if (frame->ply >= kMaxPly) return ValueAtMaxPly(frame);
    // A mate found elsewhere that is nearer than any from here makes this node pointless.
    node.alpha = std::max(node.alpha, MatedIn(frame->ply));
    node.beta = std::min(node.beta, MateIn(frame->ply + 1));
    if (node.alpha >= node.beta) return node.alpha;
  }

  const bool excluding = !frame->excluded.IsNone();
  if (!excluding) ProbeTable(frame, node);
  if constexpr (kRoot) node.table_move = root_.FirstMove();
  frame->on_pv = kPv || (excluding ? frame->on_pv : node.entry && node.entry->on_pv);
  if (!kPv && node.entry && node.entry->depth >= node.depth && node.IsSettledByTable() &&
      position_.halfmove_clock() < 90) {
    if (node.table_value >= node.beta && !node.table_move.IsNone() && IsQuiet(position_, node.table_move)) {
      UpdateHistory(memory_.history.Quiet(position_.side_to_move(), node.table_move), HistoryBonus(node.depth));
    }
    return node.table_value;
  }

  if (!kRoot && !excluding && AsksTablebases()) {
    if (const auto value = TryTablebases(frame, node)) return *value;
  }
  Evaluate(frame, node);
  node.improving = IsImproving(frame);
  frame[2].killers = {};
  frame[1].excluded = Move();
  frame[2].cutoffs = 0;
  if (!frame->in_check && !excluding) {
    if constexpr (!kPv) {
      if (const auto value = TryStaticPruning(frame, node)) return *value;
      if (const auto value = TryNullMove(frame, node)) return *value;
      if (const auto value = TryProbCut(frame, node)) return *value;
      if (stopped()) return kDraw;
    }
  }
  // Without a move from the table the node is likely not worth its depth yet.
  if ((kPv || node.cut_node) && node.depth >= 4 && node.table_move.IsNone()) --node.depth;

  const OrderingHints hints = {
      .table_move = node.table_move,
      .killers = frame->killers,
      .counter = frame[-1].has_move ? memory_.history.Counter(frame[-1].piece_to) : Move(),
      .continuations = {frame[-1].continuation, frame[-2].continuation, frame[-4].continuation}};
  MovePicker picker(position_, memory_.history, hints, MovePicker::Kind::kAll);
  const bool may_prune = !kRoot && !OnlyPawnsLeft(position_.board(), position_.side_to_move());
  const Value old_alpha = node.alpha;
  node.best = node.floor;
  int move_count = 0;
  TriedMoves tried;
  for (Move move = picker.Next(); !move.IsNone(); move = picker.Next()) {
    if (move == frame->excluded) continue;
    RootMove* root_move = nullptr;
    if constexpr (kRoot) {
      root_move = root_.Find(move);
      if (root_move == nullptr) continue;
    }
    ++move_count;
    const bool quiet = IsQuiet(position_, move);
    const int history = quiet ? QuietHistory(memory_.history, position_, frame, move)
                              : memory_.history.Capture(PieceToOf(position_, move), CapturedType(position_, move));
    Candidate candidate = {move, move_count, quiet, history};
    if (may_prune && node.best > -kTablebaseThreshold) {
      if (quiet && move_count >= (4 + node.depth * node.depth) / (2 - node.improving)) picker.SkipQuiets();
      if (IsWorthless(frame, node, candidate)) continue;
    }
    if constexpr (kRoot) {
      root_.OnMove(*root_move, move_count);
    } else if (move == node.table_move) {
      if (const auto value = TryExtension(frame, node, candidate)) return *value;
      if (stopped()) return kDraw;
    }
    const std::int64_t nodes_before = nodes();
    const Value value = SearchMove<kType>(frame, node, candidate);
    if (stopped()) return kDraw;

    if constexpr (kRoot) {
      root_move->nodes += nodes() - nodes_before;
      root_.OnValue(*root_move, move_count, value, {node.alpha, node.beta}, frame[1].pv);
    }
    if (value > node.best) {
      node.best = value;
      if (value > node.alpha) {
        node.best_move = move;
        if constexpr (kPv) frame->pv.Set(move, frame[1].pv);
        if (value >= node.beta) {
          ++frame->cutoffs;
          break;
        }
        node.alpha = value;
      }
    }
    if (move_count < 64) (quiet ? tried.quiets : tried.captures).Add(move);
  }

  if (move_count == 0) return excluding ? node.alpha : frame->in_check ? MatedIn(frame->ply) : kDraw;
  node.best = std::min(node.best, node.ceiling);
  const bool cutoff = node.best >= node.beta;
  if (cutoff && !node.best_move.IsNone()) LearnFromCutoff(memory_.history, position_, frame, node, tried);
  const Bound bound = cutoff ? Bound::kLower : kPv && node.best > old_alpha ? Bound::kExact : Bound::kUpper;
  if (!excluding) StoreAndLearn(frame, node, {node.best_move, node.best, bound, node.depth});
  return node.best;
}

void Worker::StoreAndLearn(const Frame* frame, const Node& node, const NodeResult& result) {
  const bool misleading = frame->ply == 0 && (options_.restricted || !root_.IsFirstLine());
  if (!misleading) Store(frame, node, result);
  LearnError(memory_.history, position_, frame, node, result);
}

template Value Worker::Search<NodeType::kRoot>(Frame*, Window, int, bool);

}  // namespace kibitz
