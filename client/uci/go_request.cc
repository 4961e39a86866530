#include "client/uci/go_request.h"

#include <algorithm>
#include <cstdint>

namespace kibitz::client::uci {
namespace {

constexpr std::int64_t kDay = 24 * 60 * 60 * 1000;  // milliseconds
constexpr std::int64_t kMaxMovesToGo = 1000;

// Clocks that ran over are sent as negative times.
google::protobuf::Duration ToDuration(std::int64_t milliseconds, std::int64_t min = 0) {
  const std::int64_t bounded = std::clamp(milliseconds, min, kDay);
  google::protobuf::Duration duration;
  duration.set_seconds(bounded / 1000);
  duration.set_nanos(static_cast<std::int32_t>(bounded % 1000 * 1'000'000));
  return duration;
}

int Bounded(std::int64_t value, std::int64_t min, std::int64_t max) {
  return static_cast<int>(std::clamp(value, min, std::max(min, max)));
}

bool HasClock(const Go& go) { return go.white_time || go.black_time; }

void WriteClock(const Go& go, const Options& options, v1::Limits& limits) {
  v1::Limits::Clock& clock = *limits.mutable_clock();
  *clock.mutable_white_time() = ToDuration(go.white_time.value_or(0));
  *clock.mutable_black_time() = ToDuration(go.black_time.value_or(0));
  *clock.mutable_white_increment() = ToDuration(go.white_increment.value_or(0));
  *clock.mutable_black_increment() = ToDuration(go.black_increment.value_or(0));
  clock.set_moves_to_go(Bounded(go.moves_to_go.value_or(0), 0, kMaxMovesToGo));
  *limits.mutable_move_overhead() = ToDuration(options.move_overhead_ms);
}

}  // namespace

bool IsOpenEnded(const Go& go) {
  return go.infinite || (!HasClock(go) && !go.depth && !go.nodes && !go.mate && !go.movetime);
}

v1::AnalyzeRequest ToRequest(const Go& go, const Options& options, const v1::GetServerInfoResponse::Caps& caps) {
  v1::AnalyzeRequest request;
  v1::Limits& limits = *request.mutable_limits();
  if (go.depth) limits.set_depth(Bounded(*go.depth, 1, caps.max_depth()));
  if (go.nodes) limits.set_nodes(std::max<std::int64_t>(*go.nodes, 1));
  if (go.movetime) *limits.mutable_movetime() = ToDuration(*go.movetime, /*min=*/1);
  if (go.mate) limits.set_mate(Bounded(*go.mate, 1, caps.max_depth() / 2));
  if (HasClock(go) && !go.infinite) WriteClock(go, options, limits);
  limits.set_infinite(IsOpenEnded(go));
  request.set_multi_pv(Bounded(options.multi_pv, 1, caps.max_multi_pv()));
  request.set_threads(Bounded(options.threads, 1, caps.max_threads()));
  if (options.limit_strength && !options.analyse_mode) request.set_strength_elo(options.elo);
  return request;
}

std::optional<std::chrono::milliseconds> LatestAnswer(const Go& go, const Options& options, Color side_to_move) {
  // What an answer may be late: a move a little late is better than one not searched for.
  constexpr std::int64_t kLeniency = 2000;
  if (IsOpenEnded(go)) return std::nullopt;
  if (go.movetime) return std::chrono::milliseconds(std::clamp<std::int64_t>(*go.movetime, 0, kDay) + kLeniency);
  const std::optional<std::int64_t>& time = side_to_move == Color::kWhite ? go.white_time : go.black_time;
  if (!time) return std::nullopt;
  // At the end of a clock there is no leniency.
  constexpr std::int64_t kMinWait = 20;
  return std::chrono::milliseconds(std::clamp<std::int64_t>(*time - options.move_overhead_ms, kMinWait, kDay));
}

}  // namespace kibitz::client::uci
