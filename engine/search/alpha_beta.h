// The tree search: alpha-beta with quiescence.

#ifndef KIBITZ_ENGINE_SEARCH_ALPHA_BETA_H_
#define KIBITZ_ENGINE_SEARCH_ALPHA_BETA_H_

#include <vector>

#include "engine/board/move.h"
#include "engine/board/position.h"
#include "engine/search/score.h"
#include "engine/search/stopper.h"

namespace kibitz {

// A value and the line of play that gives it.
struct SearchedLine {
  Value value = -kInfinite;
  std::vector<Move> pv;
};

// Searches one position for one worker. Nothing in it is shared.
class AlphaBeta {
 public:
  AlphaBeta(const Position& position, Stopper& stopper) : position_(position), stopper_(stopper) {}

  // The best of the given root moves, searched to `depth` plies. Without meaning if the stopper ended it.
  SearchedLine SearchRoot(const std::vector<Move>& root_moves, int depth);

  int seldepth() const { return seldepth_; }

 private:
  Value Search(int depth, int ply, Value alpha, Value beta, std::vector<Move>& pv);
  Value Quiesce(int ply, Value alpha, Value beta);
  bool IsDraw(int ply) const;

  Position position_;
  Stopper& stopper_;
  int seldepth_ = 0;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_ALPHA_BETA_H_
