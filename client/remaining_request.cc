#include "client/remaining_request.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "client/readable_status.h"

namespace kibitz::client {
namespace {

constexpr absl::Duration kLeastTime = absl::Milliseconds(10);
constexpr std::int64_t kLeastNodes = 1000;

void Shorten(google::protobuf::Duration& time, absl::Duration elapsed) {
  const absl::Duration before = absl::Seconds(time.seconds()) + absl::Nanoseconds(time.nanos());
  absl::Duration left = std::max(before - elapsed, std::min(before, kLeastTime));
  time.set_seconds(absl::IDivDuration(left, absl::Seconds(1), &left));
  time.set_nanos(static_cast<int>(absl::ToInt64Nanoseconds(left)));
}

}  // namespace

v1::AnalyzeRequest RemainingRequest(v1::AnalyzeRequest request, std::int64_t nodes, absl::Duration elapsed) {
  v1::Limits& limits = *request.mutable_limits();
  if (limits.has_movetime()) Shorten(*limits.mutable_movetime(), elapsed);
  if (limits.has_nodes()) limits.set_nodes(std::max(limits.nodes() - nodes, std::min(limits.nodes(), kLeastNodes)));
  if (limits.has_clock()) {
    // Only the time of the side to move runs, and only that one is looked at.
    v1::Limits::Clock& clock = *limits.mutable_clock();
    if (clock.has_white_time()) Shorten(*clock.mutable_white_time(), elapsed);
    if (clock.has_black_time()) Shorten(*clock.mutable_black_time(), elapsed);
  }
  return request;
}

bool IsServerLost(const absl::Status& status) {
  if (RetryDelay(status)) return false;
  if (absl::IsUnavailable(status)) return true;
  // What gRPC says of a stream that a proxy ends because its server is gone.
  return absl::StrContains(status.message(), "RST_STREAM") || absl::StrContains(status.message(), "No status received");
}

}  // namespace kibitz::client
