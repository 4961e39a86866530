// The legal moves of a node, the most promising first, found in stages: most nodes need only the first few.

#ifndef KIBITZ_ENGINE_SEARCH_MOVE_PICKER_H_
#define KIBITZ_ENGINE_SEARCH_MOVE_PICKER_H_

#include <array>
#include <cstdint>

#include "engine/board/move.h"
#include "engine/board/position.h"
#include "engine/search/history.h"

namespace kibitz {

// What the node knows that helps to order its moves.
struct OrderingHints {
  Move table_move;  // legal, or none
  std::array<Move, 2> killers;
  Move counter;
  // How moves have done in answer to the move before, to our own before that, and to the one two further back.
  std::array<const History::Continuation*, 3> continuations;
};

class MovePicker {
 public:
  enum class Kind : std::uint8_t {
    kAll,       // everything
    kCaptures,  // captures and promotions; all evasions when in check
  };

  MovePicker(const Position& position, History& history, const OrderingHints& hints, Kind kind);

  // The next move, or none when all have been given.
  Move Next();
  // From now on gives no more quiet moves.
  void SkipQuiets() { skip_quiets_ = true; }

 private:
  enum class Stage : std::uint8_t {
    kTableMove,
    kMakeCaptures,
    kGoodCaptures,
    kMakeQuiets,
    kQuiets,
    kBadCaptures,
    kMakeEvasions,
    kEvasions,
    kDone
  };
  struct ScoredMove {
    Move move;
    int score;
  };

  void ScoreCaptures(const MoveList& moves);
  void ScoreQuiets(const MoveList& moves);
  void ScoreEvasions(const MoveList& moves);
  int CaptureScore(Move move) const;
  int QuietScore(Move move) const;
  // Takes the best of the moves that are left, or none.
  Move PopBest();

  const Position& position_;
  History& history_;
  const OrderingHints hints_;
  const Kind kind_;
  Stage stage_;
  bool skip_quiets_ = false;
  int last_score_ = 0;
  ScoredMove* begin_;
  ScoredMove* end_;
  ScoredMove* end_bad_;
  // Bad captures gather at the front while the good ones are given; the quiets come after them. In a union, so that
  // nobody clears it: a picker is made at every node.
  union {
    ScoredMove moves_[kMaxMoves];
  };
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_MOVE_PICKER_H_
