// The tree search of one worker: principal variation search with its prunings, and quiescence below it.

#include <algorithm>
#include <optional>

#include "engine/board/movegen.h"
#include "engine/eval/evaluate.h"
#include "engine/search/move_picker.h"
#include "engine/search/node_state.h"
#include "engine/search/reductions.h"
#include "engine/search/see.h"
#include "engine/search/worker.h"

namespace kibitz {
namespace {

bool IsDecided(Value value) { return value > kTablebaseThreshold || value < -kTablebaseThreshold; }

PieceType CapturedType(const Position& position, Move move) {
  return move.kind() == Move::Kind::kEnPassant ? PieceType::kPawn : position.PieceOn(move.to()).type();
}

// Neither takes nor promotes.
bool IsQuiet(const Position& position, Move move) {
  return move.kind() != Move::Kind::kPromotion && !position.IsCapture(move);
}

bool OnlyPawnsLeft(const Board& board, Color side) {
  return (board.Of(side) & ~board.Of(PieceType::kPawn) & ~board.Of(PieceType::kKing)) == 0;
}

int HistoryBonus(int depth) { return std::min(140 * depth - 60, 1700); }

}  // namespace

bool Worker::CountNode() {
  if (stopper_.stopped()) return true;
  const std::int64_t nodes = nodes_.load(std::memory_order_relaxed) + 1;
  nodes_.store(nodes, std::memory_order_relaxed);
  if (nodes < next_checkpoint_) return false;
  Checkpoint(nodes);
  return stopper_.stopped();
}

bool Worker::IsDraw(const Frame* frame) const {
  if (position_.halfmove_clock() >= 100 && (!frame->in_check || position_.HasLegalMove())) return true;
  return position_.IsRepetition(frame->ply) || position_.HasInsufficientMaterial();
}

// Never quite the same, so that a search does not mistake one repetition for another.
Value Worker::DrawValue() const { return kDraw - 1 + static_cast<Value>(nodes() & 2); }

Value Worker::CorrectedEvaluation(Value evaluation) const {
  const int correction = memory_.history.Correction(position_.side_to_move(), position_.pawn_key());
  return std::clamp(evaluation + correction, -kMaxEvaluation, kMaxEvaluation);
}

void Worker::MakeMove(Frame* frame, Move move) {
  frame->move = move;
  frame->has_move = true;
  frame->piece_to = PieceToOf(position_, move);
  frame->continuation = &memory_.history.After(frame->piece_to);
  position_.MakeMove(move);
  table_.Prefetch(position_.key());
}

int Worker::QuietHistory(const Frame* frame, Move move) {
  const PieceTo piece_to = PieceToOf(position_, move);
  return memory_.history.Quiet(position_.side_to_move(), move) + (*frame[-1].continuation)[piece_to] +
         (*frame[-2].continuation)[piece_to];
}

void Worker::UpdateContinuations(Frame* frame, PieceTo piece_to, int bonus) {
  for (int back : {1, 2, 4}) {
    if (frame[-back].has_move) UpdateHistory((*frame[-back].continuation)[piece_to], bonus);
  }
}

// A move that refutes its node teaches that it is good, and that those tried before it are not.
void Worker::LearnFromCutoff(Frame* frame, Move best, int depth, const MoveList& quiets, const MoveList& captures) {
  History& history = memory_.history;
  const Color us = position_.side_to_move();
  const int bonus = HistoryBonus(depth);
  if (IsQuiet(position_, best)) {
    if (frame->killers[0] != best) frame->killers = {best, frame->killers[0]};
    if (frame[-1].has_move) history.Counter(frame[-1].piece_to) = best;
    UpdateHistory(history.Quiet(us, best), bonus);
    UpdateContinuations(frame, PieceToOf(position_, best), bonus);
    for (Move move : quiets) {
      if (move == best) continue;
      UpdateHistory(history.Quiet(us, move), -bonus);
      UpdateContinuations(frame, PieceToOf(position_, move), -bonus);
    }
  } else {
    UpdateHistory(history.Capture(PieceToOf(position_, best), CapturedType(position_, best)), bonus);
  }
  for (Move move : captures) {
    if (move != best) UpdateHistory(history.Capture(PieceToOf(position_, move), CapturedType(position_, move)), -bonus);
  }
}

// Keeps the result in the table, and how far the evaluation was from it.
void Worker::LearnFromResult(const Frame* frame, const NodeState& node, Move best, Value value, Bound bound,
                             int depth) {
  if (!frame->excluded.IsNone()) return;
  const bool misleading = (restricted_ || restricted_line_) && frame->ply == 0;
  if (!misleading) {
    table_.Store(position_.key(), {.move = best,
                                   .value = ToTable(value, frame->ply),
                                   .evaluation = node.raw_evaluation,
                                   .depth = depth,
                                   .bound = bound,
                                   .on_pv = frame->on_pv});
  }
  const bool comparable = !frame->in_check && (best.IsNone() || IsQuiet(position_, best)) && !IsDecided(value) &&
                          !(bound == Bound::kLower && value <= frame->evaluation) &&
                          !(bound == Bound::kUpper && value >= frame->evaluation);
  if (comparable) {
    memory_.history.Correct(position_.side_to_move(), position_.pawn_key(), value - node.raw_evaluation, depth);
  }
}

void Worker::Evaluate(Frame* frame, NodeState& node) {
  if (frame->in_check) {
    frame->evaluation = node.evaluation = kNoValue;
    return;
  }
  const bool known = node.entry && node.entry->evaluation != kNoValue;
  node.raw_evaluation =
      known ? node.entry->evaluation : kibitz::Evaluate(position_, memory_.pawns) + noise_.At(position_.key());
  frame->evaluation = node.evaluation = CorrectedEvaluation(node.raw_evaluation);
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
  frame->move = Move();
  frame->has_move = false;
  frame->continuation = &no_continuation_;
  position_.MakeNullMove();
  table_.Prefetch(position_.key());
  const Value value = -Search<Node::kOther>(frame + 1, -beta, -beta + 1, reduced, !cut_node);
  position_.UnmakeNullMove();
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
bool Worker::IsWorthless(const Frame* frame, const NodeState& node, Move move, bool quiet, int history, Value alpha,
                         int depth, int move_count, bool& skip_quiets) const {
  const int reduced = std::max(0, depth - 1 - BaseReduction(depth, move_count) / kPly);
  if (!quiet) {
    const int margin = -110 * depth + std::clamp(history / 64, -80 * depth, 80 * depth) / 4;
    return !SeeAtLeast(position_, move, margin);
  }
  if (move_count >= (4 + depth * depth) / (2 - node.improving)) skip_quiets = true;
  if (depth <= 6 && history < -3200 * depth) return true;
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
    if (frame->ply >= kMaxPly) return frame->in_check ? kDraw : kibitz::Evaluate(position_, memory_.pawns);
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
  bool skip_quiets = false;
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
    if (may_prune && best > -kTablebaseThreshold) {
      const bool worthless = IsWorthless(frame, node, move, quiet, history, alpha, depth, move_count, skip_quiets);
      if (skip_quiets) picker.SkipQuiets();
      if (worthless) continue;
    }
    const int extension = kRoot ? 0 : Extension(frame, node, move, beta, depth, cut_node);
    if (stopped()) return kDraw;
    if (node.multi_cut) return *node.multi_cut;

    if (kRoot && watcher_ != nullptr) {
      watcher_->OnMove(*root_move, static_cast<int>(first_root_move_) + move_count);
    }
    const int new_depth = depth - 1 + extension;
    const std::int64_t nodes_before = nodes();
    MakeMove(frame, move);
    Value value = kNoValue;
    if (depth >= 2 && move_count > 1 + kRoot) {
      int reduction = BaseReduction(depth, move_count);
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
        if (quiet)
          UpdateContinuations(frame, frame->piece_to, value > alpha ? HistoryBonus(depth) : -HistoryBonus(depth));
      }
    } else if (!kPv || move_count > 1) {
      value = -Search<Node::kOther>(frame + 1, -alpha - 1, -alpha, new_depth, !cut_node);
    }
    if (kPv && (move_count == 1 || value > alpha)) {
      value = -Search<Node::kPv>(frame + 1, -beta, -alpha, new_depth, false);
    }
    UnmakeMove(move);
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

template <bool kPv>
Value Worker::Quiesce(Frame* frame, Value alpha, Value beta) {
  if (CountNode()) return kDraw;
  frame->in_check = position_.InCheck();
  frame->pv.Clear();
  if constexpr (kPv) seldepth_ = std::max(seldepth_, frame->ply);
  if (IsDraw(frame)) return DrawValue();
  if (frame->ply >= kMaxPly) return frame->in_check ? kDraw : kibitz::Evaluate(position_, memory_.pawns);

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
      // Even won for nothing, the captured man does not bring us to alpha.
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

void Worker::LearnFromQuiescence(const Frame* frame, const NodeState& node, Move best, Value value, Bound bound) {
  table_.Store(position_.key(), {.move = best,
                                 .value = ToTable(value, frame->ply),
                                 .evaluation = node.raw_evaluation,
                                 .depth = 0,
                                 .bound = bound,
                                 .on_pv = frame->on_pv});
}

template Value Worker::Search<Worker::Node::kRoot>(Frame*, Value, Value, int, bool);

}  // namespace kibitz
