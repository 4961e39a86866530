// The tree search of one worker: principal variation search.

#include <algorithm>
#include <optional>

#include "engine/board/movegen.h"
#include "engine/search/move_picker.h"
#include "engine/search/node_state.h"
#include "engine/search/reductions.h"
#include "engine/search/see.h"
#include "engine/search/worker.h"

namespace kibitz {

bool Worker::IsDraw(const Frame* frame) const {
  if (position_.halfmove_clock() >= 100 && (!frame->in_check || position_.HasLegalMove())) return true;
  return position_.IsRepetition(frame->ply) || position_.HasInsufficientMaterial();
}

// Never quite the same, so that a search does not mistake one repetition for another.
Value Worker::DrawValue() const { return kDraw - 1 + static_cast<Value>(nodes() & 2); }

Value Worker::CorrectedEvaluation(const Frame* frame, Value evaluation) const {
  int correction = memory_.history.PawnCorrections(position_.side_to_move()).At(position_.pawn_key());
  if (frame[-1].has_move && frame[-2].has_move) {
    // Both have learnt the whole of the error.
    const auto moves = History::MovesKey(frame[-1].piece_to, frame[-2].piece_to);
    correction = (correction + memory_.history.MoveCorrections().At(moves)) * 2 / 3;
  }
  return std::clamp(evaluation + correction, -kMaxEvaluation, kMaxEvaluation);
}

void Worker::MakeMove(Frame* frame, Move move) {
  frame->move = move;
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
  frame->move = Move();
  frame->has_move = false;
  frame->continuation = &no_continuation_;
  memory_.evaluator->OnMakeNullMove();
  position_.MakeNullMove();
  table_.Prefetch(position_.key());
}

void Worker::UnmakeNullMove() {
  position_.UnmakeNullMove();
  memory_.evaluator->OnUnmakeNullMove();
}

int Worker::QuietHistory(const Frame* frame, Move move) {
  const PieceTo piece_to = PieceToOf(position_, move);
  return memory_.history.Quiet(position_.side_to_move(), move) + (*frame[-1].continuation)[piece_to] +
         (*frame[-2].continuation)[piece_to];
}

void Worker::Evaluate(Frame* frame, NodeState& node) {
  if (frame->in_check) {
    frame->evaluation = node.evaluation = kNoValue;
    return;
  }
  const bool known = node.entry && node.entry->evaluation != kNoValue;
  node.raw_evaluation =
      known ? node.entry->evaluation : memory_.evaluator->Evaluate(position_) + noise_.At(position_.key());
  frame->evaluation = node.evaluation = CorrectedEvaluation(frame, node.raw_evaluation);
  if (node.table_value == kNoValue || IsDecided(node.table_value)) return;
  const Bound bound = node.entry->bound;
  const bool higher = node.table_value > node.evaluation;
  if (bound == Bound::kExact || bound == (higher ? Bound::kLower : Bound::kUpper)) node.evaluation = node.table_value;
}

// Whether our evaluation is better than at our last move, or the one before that if we were in check then.
bool Worker::IsImproving(const Frame* frame) const {
  if (frame->in_check) return false;
  if (frame[-2].evaluation != kNoValue) return frame->evaluation > frame[-2].evaluation;
  if (frame[-4].evaluation != kNoValue) return frame->evaluation > frame[-4].evaluation;
  return true;
}

// A move's value: late moves are tried with less depth, all but the first with no window, and looked at again if they
// turn out better than that.
template <Worker::Node kNode>
Value Worker::SearchMove(Frame* frame, const NodeState& node, const Candidate& candidate, Value alpha, Value beta,
                         Value best, int depth, bool cut_node) {
  constexpr bool kPv = kNode != Node::kOther;
  const auto& [move, number, quiet, history, extension] = candidate;
  const int new_depth = depth - 1 + extension;
  MakeMove(frame, move);
  Value value = kNoValue;
  if (depth >= 2 && number > 1 + (kNode == Node::kRoot)) {
    int reduction = BaseReduction(depth, number);
    reduction += kPly * !node.improving / 2 + 2 * kPly * cut_node - kPly * (frame->on_pv + kPv);
    reduction += kPly * (frame[1].cutoffs > 3);
    if (!quiet) reduction -= kPly;
    if (position_.InCheck()) reduction -= kPly;
    reduction -= quiet ? history / 10 : history / 12;
    const int reduced = std::clamp(new_depth - reduction / kPly, 1, new_depth + (kPv ? 1 : 0));
    value = -Search<Node::kOther>(frame + 1, -alpha - 1, -alpha, reduced, true);
    if (value > alpha && reduced < new_depth) {
      const int deeper = new_depth + (value > best + 50) - (value < best + 8);
      if (deeper > reduced) value = -Search<Node::kOther>(frame + 1, -alpha - 1, -alpha, deeper, !cut_node);
      const int bonus = HistoryBonus(depth);
      if (quiet) UpdateContinuations(frame, frame->piece_to, value > alpha ? bonus : -bonus);
    }
  } else if (!kPv || number > 1) {
    value = -Search<Node::kOther>(frame + 1, -alpha - 1, -alpha, new_depth, !cut_node);
  }
  if (kPv && (number == 1 || value > alpha)) {
    value = -Search<Node::kPv>(frame + 1, -beta, -alpha, new_depth, false);
  }
  UnmakeMove(move);
  return value;
}

template <Worker::Node kNode>
Value Worker::Search(Frame* frame, Value alpha, Value beta, int depth, bool cut_node) {
  constexpr bool kRoot = kNode == Node::kRoot;
  constexpr bool kPv = kNode != Node::kOther;
  if (depth <= 0) return Quiesce<kPv>(frame, alpha, beta);
  if (CountNode()) return kDraw;
  depth = std::min(depth, kMaxPly - 1);
  frame->in_check = position_.InCheck();
  frame->pv.Clear();
  if constexpr (kPv) seldepth_ = std::max(seldepth_, frame->ply);
  if constexpr (!kRoot) {
    if (IsDraw(frame)) return DrawValue();
    if (frame->ply >= kMaxPly) return frame->in_check ? kDraw : memory_.evaluator->Evaluate(position_);
    // A mate found elsewhere that is nearer than any from here makes this node pointless.
    alpha = std::max(alpha, MatedIn(frame->ply));
    beta = std::min(beta, MateIn(frame->ply + 1));
    if (alpha >= beta) return alpha;
  }

  const bool excluding = !frame->excluded.IsNone();
  NodeState node;
  if (!excluding) node.entry = table_.Probe(position_.key());
  if (node.entry) node.table_value = FromTable(node.entry->value, frame->ply);
  if constexpr (kRoot) {
    node.table_move = (*root_moves_)[first_root_move_].move;
  } else if (node.entry && !node.entry->move.IsNone() && position_.IsLegal(node.entry->move)) {
    node.table_move = node.entry->move;
  }
  frame->on_pv = kPv || (excluding ? frame->on_pv : node.entry && node.entry->on_pv);
  if (!kPv && node.entry && node.entry->depth >= depth && node.Settles(beta) && position_.halfmove_clock() < 90) {
    if (node.table_value >= beta && !node.table_move.IsNone() && IsQuiet(position_, node.table_move)) {
      UpdateHistory(memory_.history.Quiet(position_.side_to_move(), node.table_move), HistoryBonus(depth));
    }
    return node.table_value;
  }

  if (!kRoot && !excluding && AsksTablebases()) {
    if (const auto value = TryTablebases(frame, node, alpha, beta, depth)) return *value;
    alpha = std::max(alpha, node.floor);
  }
  Evaluate(frame, node);
  node.improving = IsImproving(frame);
  frame[2].killers = {};
  frame[1].excluded = Move();
  frame[2].cutoffs = 0;
  if (!frame->in_check && !excluding) {
    if constexpr (!kPv) {
      if (const auto value = TryStaticPruning(frame, node, alpha, beta, depth)) return *value;
      if (const auto value = TryNullMove(frame, node, beta, depth, cut_node)) return *value;
      if (const auto value = TryProbCut(frame, node, beta, depth, cut_node)) return *value;
      if (stopped()) return kDraw;
    }
  }
  // Without a move from the table the node is likely not worth its depth yet.
  if ((kPv || cut_node) && depth >= 4 && node.table_move.IsNone()) --depth;

  const OrderingHints hints = {
      .table_move = node.table_move,
      .killers = frame->killers,
      .counter = frame[-1].has_move ? memory_.history.Counter(frame[-1].piece_to) : Move(),
      .continuations = {frame[-1].continuation, frame[-2].continuation, frame[-4].continuation}};
  MovePicker picker(position_, memory_.history, hints, MovePicker::Kind::kAll);
  const bool may_prune = !kRoot && !OnlyPawnsLeft(position_.board(), position_.side_to_move());
  const Value old_alpha = alpha;
  Value best = node.floor;
  Move best_move;
  int move_count = 0;
  MoveList quiets;
  MoveList captures;
  for (Move move = picker.Next(); !move.IsNone(); move = picker.Next()) {
    if (move == frame->excluded) continue;
    RootMove* root_move = nullptr;
    if constexpr (kRoot) {
      root_move = FindRootMove(move);
      if (root_move == nullptr) continue;
    }
    ++move_count;
    const bool quiet = IsQuiet(position_, move);
    const int history = quiet ? QuietHistory(frame, move)
                              : memory_.history.Capture(PieceToOf(position_, move), CapturedType(position_, move));
    Candidate candidate = {move, move_count, quiet, history};
    if (may_prune && best > -kTablebaseThreshold) {
      if (quiet && move_count >= (4 + depth * depth) / (2 - node.improving)) picker.SkipQuiets();
      if (IsWorthless(frame, candidate, alpha, depth)) continue;
    }
    if constexpr (kRoot) {
      if (watcher_ != nullptr) watcher_->OnMove(*root_move, static_cast<int>(first_root_move_) + move_count);
    } else {
      candidate.extension = Extension(frame, node, move, beta, depth, cut_node);
      if (stopped()) return kDraw;
      if (node.multi_cut) return *node.multi_cut;
    }
    const std::int64_t nodes_before = nodes();
    const Value value = SearchMove<kNode>(frame, node, candidate, alpha, beta, best, depth, cut_node);
    if (stopped()) return kDraw;

    if constexpr (kRoot) {
      root_move->nodes += nodes() - nodes_before;
      NoteRootValue(*root_move, value, alpha, beta, move_count == 1, frame[1].pv);
      const bool better = move_count > 1 && value > alpha && first_root_move_ == 0;
      if (better && watcher_ != nullptr) watcher_->OnBetterMove(*root_move, depth);
    }
    if (value > best) {
      best = value;
      if (value > alpha) {
        best_move = move;
        if constexpr (kPv) frame->pv.Set(move, frame[1].pv);
        if (value >= beta) {
          ++frame->cutoffs;
          break;
        }
        alpha = value;
      }
    }
    if (move_count < 64) (quiet ? quiets : captures).Add(move);
  }

  if (move_count == 0) return excluding ? alpha : frame->in_check ? MatedIn(frame->ply) : kDraw;
  best = std::min(best, node.ceiling);
  if (!best_move.IsNone() && best >= beta) LearnFromCutoff(frame, best_move, depth, quiets, captures);
  const Bound bound = best >= beta ? Bound::kLower : kPv && best > old_alpha ? Bound::kExact : Bound::kUpper;
  LearnFromResult(frame, node, best_move, best, bound, depth);
  return best;
}

template Value Worker::Search<Worker::Node::kRoot>(Frame*, Value, Value, int, bool);

}  // namespace kibitz
