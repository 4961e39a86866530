// A line of play while it is found.

#ifndef KIBITZ_ENGINE_SEARCH_VARIATION_H_
#define KIBITZ_ENGINE_SEARCH_VARIATION_H_

#include <algorithm>
#include <array>
#include <vector>

#include "engine/board/move.h"
#include "engine/search/score.h"

namespace kibitz {

// Short enough to copy at every node of the principal variation.
class Variation {
 public:
  void Clear() { size_ = 0; }
  // `move`, followed by `rest`.
  void Set(Move move, const Variation& rest) {
    moves_[0] = move;
    std::copy(rest.moves_.begin(), rest.moves_.begin() + rest.size_, moves_.begin() + 1);
    size_ = rest.size_ + 1;
  }
  std::vector<Move> ToVector() const { return {moves_.begin(), moves_.begin() + size_}; }

 private:
  std::array<Move, kMaxPly + 2> moves_;
  int size_ = 0;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_VARIATION_H_
