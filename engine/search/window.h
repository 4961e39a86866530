// Alpha and beta.

#ifndef KIBITZ_ENGINE_SEARCH_WINDOW_H_
#define KIBITZ_ENGINE_SEARCH_WINDOW_H_

#include "engine/search/score.h"

namespace kibitz {

// A node is asked for its value if that lies between these, else for a bound beyond them.
struct Window {
  Value alpha = -kInfinite;
  Value beta = kInfinite;

  // Null windows: they only ask whether a value is above alpha, or reaches beta.
  static constexpr Window Above(Value alpha) { return {alpha, alpha + 1}; }
  static constexpr Window Below(Value beta) { return {beta - 1, beta}; }

  // As the other side sees it.
  constexpr Window operator-() const { return {-beta, -alpha}; }
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_WINDOW_H_
