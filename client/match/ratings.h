// One rating scale for many players, from whoever met whom.

#ifndef KIBITZ_CLIENT_MATCH_RATINGS_H_
#define KIBITZ_CLIENT_MATCH_RATINGS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "client/match/statistics.h"

namespace kibitz::client {

// What two players have scored against each other, as the first sees it.
struct PairResult {
  int first = 0;
  int second = 0;
  std::int64_t won = 0;
  std::int64_t drawn = 0;
  std::int64_t lost = 0;
};

// The most likely ratings under the logistic law of Elo (Bradley and Terry's model, a draw being half a win), as
// differences to the anchor, which has 0. The errors are those of the differences, computed as if no game could be
// drawn and so rather too wide. A fraction of a drawn game is added to each pairing, so that a clean score is finite
// too.
std::vector<Estimate> FitRatings(int players, absl::Span<const PairResult> results, int anchor);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_MATCH_RATINGS_H_
