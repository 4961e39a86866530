#include "engine/search/learning.h"

namespace kibitz {

void UpdateContinuations(const Frame* frame, PieceTo piece_to, int bonus) {
  for (int back : {1, 2, 4}) {
    if (frame[-back].has_move) UpdateHistory((*frame[-back].continuation)[piece_to], bonus);
  }
}

void LearnFromCutoff(History& history, const Position& position, Frame* frame, const Node& node,
                     const TriedMoves& tried) {
  const Color us = position.side_to_move();
  const Move best = node.best_move;
  const int bonus = HistoryBonus(node.depth);
  if (IsQuiet(position, best)) {
    if (frame->killers[0] != best) frame->killers = {best, frame->killers[0]};
    if (frame[-1].has_move) history.Counter(frame[-1].piece_to) = best;
    UpdateHistory(history.Quiet(us, best), bonus);
    UpdateContinuations(frame, PieceToOf(position, best), bonus);
    for (Move move : tried.quiets) {
      UpdateHistory(history.Quiet(us, move), -bonus);
      UpdateContinuations(frame, PieceToOf(position, move), -bonus);
    }
  } else {
    UpdateHistory(history.Capture(PieceToOf(position, best), CapturedType(position, best)), bonus);
  }
  for (Move move : tried.captures) {
    UpdateHistory(history.Capture(PieceToOf(position, move), CapturedType(position, move)), -bonus);
  }
}

void LearnError(History& history, const Position& position, const Frame* frame, const Node& node,
                const NodeResult& result) {
  const auto& [move, value, bound, depth] = result;
  const bool comparable = !frame->in_check && (move.IsNone() || IsQuiet(position, move)) && !IsDecided(value) &&
                          !(bound == Bound::kLower && value <= frame->evaluation) &&
                          !(bound == Bound::kUpper && value >= frame->evaluation);
  if (!comparable) return;
  const int error = value - node.raw_evaluation;
  history.PawnCorrections(position.side_to_move()).Learn(position.pawn_key(), error, depth);
  if (frame[-1].has_move && frame[-2].has_move) {
    const auto moves = History::MovesKey(frame[-1].piece_to, frame[-2].piece_to);
    history.MoveCorrections().Learn(moves, error, depth);
  }
}

}  // namespace kibitz
