// The root of a search, as a worker sees it while it searches one line.

#ifndef KIBITZ_ENGINE_SEARCH_ROOT_H_
#define KIBITZ_ENGINE_SEARCH_ROOT_H_

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/board/move.h"
#include "engine/search/root_move.h"
#include "engine/search/score.h"
#include "engine/search/variation.h"
#include "engine/search/window.h"

namespace kibitz {

// Hears what happens at the root while it is searched.
class RootWatcher {
 public:
  virtual ~RootWatcher() = default;
  // A move is about to be searched; 1 is the first.
  virtual void OnMove(const RootMove& move, int number) = 0;
  // A move turned out better than those before it, in the iteration of this depth.
  virtual void OnBetterMove(const RootMove& move, int depth) = 0;
};

class Root {
 public:
  // Nobody watches unless told so.
  void SetWatcher(RootWatcher& watcher) { watcher_ = &watcher; }

  // The line that begins with one of the moves from `first` on is to be found; the earlier ones are taken. The moves
  // must stay where they are meanwhile.
  void BeginLine(std::vector<RootMove>& moves, std::size_t first, int depth);

  int depth() const { return depth_; }
  bool IsFirstLine() const { return first_ == 0; }
  // The move to be searched first.
  Move FirstMove() const { return (*moves_)[first_].move; }
  // One of the moves that are searched now, or nullptr: from the first that is not taken on, as long as tablebases call
  // them equals.
  RootMove* Find(Move move);

  // A node of the principal variation lies this deep.
  void ReachPly(int ply) { seldepth_ = std::max(seldepth_, ply); }

  // Before and after the search of a move, the `number`-th of this line, within `window`.
  void OnMove(const RootMove& move, int number);
  void OnValue(RootMove& move, int number, Value value, Window window, const Variation& rest);

 private:
  RootWatcher* watcher_ = nullptr;
  std::vector<RootMove>* moves_ = nullptr;
  std::size_t first_ = 0;
  int depth_ = 0;
  int seldepth_ = 0;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_ROOT_H_
