// The line from the root to the node that is searched, ply by ply.

#ifndef KIBITZ_ENGINE_SEARCH_FRAME_H_
#define KIBITZ_ENGINE_SEARCH_FRAME_H_

#include <array>
#include <vector>

#include "engine/board/move.h"
#include "engine/search/history.h"
#include "engine/search/score.h"
#include "engine/search/variation.h"

namespace kibitz {

// What the nodes of a line know of each other: frame[-1] is the parent's, frame[1] that of the child being searched.
struct Frame {
  int ply = 0;
  Move excluded;          // left out, to see whether the others come near it
  PieceTo piece_to = 0;   // of the move being searched here
  bool has_move = false;  // not a null move, and not above the root
  Value evaluation = kNoValue;
  bool in_check = false;
  bool on_pv = false;
  int cutoffs = 0;  // at this ply, below the same grandparent
  std::array<Move, 2> killers;
  History::Continuation* continuation = nullptr;
  Variation pv;
};

// The frames of all plies, with some more at both ends, so that a node need not ask whether there are any.
class FrameStack {
 public:
  FrameStack();
  FrameStack(const FrameStack&) = delete;
  FrameStack& operator=(const FrameStack&) = delete;

  Frame* root() { return &frames_[kFramesAbove]; }
  // For frames without a move.
  History::Continuation* no_continuation() { return &no_continuation_; }

 private:
  // A node's clues come from up to four plies above it.
  static constexpr int kFramesAbove = 6;
  static constexpr int kFramesBelow = 4;

  std::vector<Frame> frames_;
  History::Continuation no_continuation_{};
};

inline FrameStack::FrameStack() : frames_(kFramesAbove + kMaxPly + kFramesBelow) {
  int ply = -kFramesAbove;
  for (Frame& frame : frames_) {
    frame.ply = ply++;
    frame.continuation = &no_continuation_;
  }
}

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_FRAME_H_
