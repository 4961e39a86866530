// What a worker learns from the nodes it has searched.

#include "engine/search/node_state.h"
#include "engine/search/worker.h"

namespace kibitz {

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
  if (!comparable) return;
  const int error = value - node.raw_evaluation;
  memory_.history.PawnCorrections(position_.side_to_move()).Learn(position_.pawn_key(), error, depth);
  if (frame[-1].has_move && frame[-2].has_move) {
    const auto moves = History::MovesKey(frame[-1].piece_to, frame[-2].piece_to);
    memory_.history.MoveCorrections().Learn(moves, error, depth);
  }
}

void Worker::LearnFromQuiescence(const Frame* frame, const NodeState& node, Move best, Value value, Bound bound) {
  table_.Store(position_.key(), {.move = best,
                                 .value = ToTable(value, frame->ply),
                                 .evaluation = node.raw_evaluation,
                                 .depth = 0,
                                 .bound = bound,
                                 .on_pv = frame->on_pv});
}

}  // namespace kibitz
