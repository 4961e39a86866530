// From a "go" to the request of a search.

#ifndef KIBITZ_CLIENT_UCI_GO_REQUEST_H_
#define KIBITZ_CLIENT_UCI_GO_REQUEST_H_

#include <chrono>
#include <optional>

#include "client/uci/command.h"
#include "client/uci/options.h"
#include "engine/board/position.h"
#include "kibitz/v1/analysis.pb.h"

namespace kibitz::client::uci {

// Whether nothing but "stop" ends the search: "go infinite", and "go" without any limit.
bool IsOpenEnded(const Go& go);

// The limits and the options, with every number brought within what the server allows. The position and the moves to
// search are left to the caller.
v1::AnalyzeRequest ToRequest(const Go& go, const Options& options, const v1::GetServerInfoResponse::Caps& caps);

// When the answer is needed at the latest, counted from when the clock starts. Nothing if it may take for ever.
std::optional<std::chrono::milliseconds> LatestAnswer(const Go& go, const Options& options, Color side_to_move);

}  // namespace kibitz::client::uci

#endif  // KIBITZ_CLIENT_UCI_GO_REQUEST_H_
