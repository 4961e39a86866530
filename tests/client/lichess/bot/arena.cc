#include "tests/client/lichess/bot/arena.h"

#include <cstdlib>
#include <iostream>
#include <utility>

namespace kibitz::client::lichess {
namespace {

template <typename Value>
Value Must(absl::StatusOr<Value> value) {
  if (value.ok()) return *std::move(value);
  std::cerr << value.status() << std::endl;
  std::abort();
}

}  // namespace

ApiTimes QuickTimes() {
  return {.answer = absl::Seconds(2),
          .silence = absl::Milliseconds(600),
          .backoff = {.first = absl::Milliseconds(10), .longest = absl::Milliseconds(200)}};
}

BotPolicy QuickPolicy() {
  BotPolicy policy;
  policy.play.max_nodes = 300;
  policy.play.ponder = false;
  policy.play.move_overhead = absl::ZeroDuration();
  policy.challenges.min_initial = absl::ZeroDuration();
  policy.challenges.max_games = 50;
  policy.challenges.max_games_per_opponent = 50;
  policy.on_stop = StopPolicy::kLeave;
  return policy;
}

RunningBot::RunningBot(const stand_in::StandIn& server, const Connection& connection, const std::string& token,
                       BotOptions options, const ApiTimes& times, const std::string& ca_file)
    : http_(Must(http::HttpClient::Open(
          {.base_url = server.url(), .token = token, .ca_file = ca_file, .one_at_a_time = true}))),
      api_(std::make_unique<LichessApi>(*http_, times)),
      bot_(Must(Bot::Start(*api_, connection, std::move(options), stop_.get_token()))),
      thread_([this] { end_ = bot_->Run(stop_.get_token()); }) {}

RunningBot::~RunningBot() { Stop().IgnoreError(); }

absl::Status RunningBot::Stop() {
  stop_.request_stop();
  if (thread_.joinable()) thread_.join();
  return end_;
}

const Connection& SharedConnection() {
  static const std::unique_ptr<Connection> connection =
      Must(Connection::Open({.embedded = {.workers = 2, .hash_mb = 16}}));
  return *connection;
}

}  // namespace kibitz::client::lichess
