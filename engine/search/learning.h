// What a worker's history says of a node, and what it learns from the node's result.

#ifndef KIBITZ_ENGINE_SEARCH_LEARNING_H_
#define KIBITZ_ENGINE_SEARCH_LEARNING_H_

#include <algorithm>

#include "engine/board/position.h"
#include "engine/search/frame.h"
#include "engine/search/history.h"
#include "engine/search/node.h"
#include "engine/search/score.h"

namespace kibitz {

// How a quiet move has done, also in answer to the last two moves.
inline int QuietHistory(History& history, const Position& position, const Frame* frame, Move move) {
  const PieceTo piece_to = PieceToOf(position, move);
  return history.Quiet(position.side_to_move(), move) + (*frame[-1].continuation)[piece_to] +
         (*frame[-2].continuation)[piece_to];
}

// The evaluation less what it has been off by in such positions.
inline Value CorrectedEvaluation(History& history, const Position& position, const Frame* frame, Value evaluation) {
  int correction = history.PawnCorrections(position.side_to_move()).At(position.pawn_key());
  if (frame[-1].has_move && frame[-2].has_move) {
    // Both have learnt the whole of the error.
    const auto moves = History::MovesKey(frame[-1].piece_to, frame[-2].piece_to);
    correction = (correction + history.MoveCorrections().At(moves)) * 2 / 3;
  }
  return std::clamp(evaluation + correction, -kMaxEvaluation, kMaxEvaluation);
}

// A move did well or badly in answer to the moves before it.
void UpdateContinuations(const Frame* frame, PieceTo piece_to, int bonus);

// A move that refutes its node teaches that it is good, and that those tried before it are not.
void LearnFromCutoff(History& history, const Position& position, Frame* frame, const Node& node,
                     const TriedMoves& tried);

// How far the evaluation was from the result, where the two can be compared.
void LearnError(History& history, const Position& position, const Frame* frame, const Node& node,
                const NodeResult& result);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_LEARNING_H_
