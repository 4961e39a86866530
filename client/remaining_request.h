// What is left to ask for when a server was lost over a search.

#ifndef KIBITZ_CLIENT_REMAINING_REQUEST_H_
#define KIBITZ_CLIENT_REMAINING_REQUEST_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "kibitz/v1/analysis.pb.h"

namespace kibitz::client {

// The same search within what its limits leave: time that has passed is off the clock and the time for the move, and
// positions that were searched are off theirs. A little is always left, so that there is an answer.
v1::AnalyzeRequest RemainingRequest(v1::AnalyzeRequest request, std::int64_t nodes, absl::Duration elapsed);

// Whether a call has ended because its server, or the way to it, is gone: another one can do it. Not where a server
// said so itself, and when to come back.
bool IsServerLost(const absl::Status& status);

// How often a search goes on elsewhere, and how long a server is looked for.
inline constexpr int kMaxMoves = 5;
inline constexpr absl::Duration kMovePatience = absl::Seconds(10);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_REMAINING_REQUEST_H_
