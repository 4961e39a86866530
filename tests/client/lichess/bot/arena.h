// A stand-in for Lichess, a server of ours inside the process, and bots that play there.

#ifndef KIBITZ_TESTS_CLIENT_LICHESS_BOT_ARENA_H_
#define KIBITZ_TESTS_CLIENT_LICHESS_BOT_ARENA_H_

#include <memory>
#include <stop_token>
#include <string>
#include <thread>

#include "client/connection.h"
#include "client/http/http_client.h"
#include "client/lichess/bot/bot.h"
#include "client/lichess/bot/lichess_api.h"
#include "tests/support/lichess/stand_in.h"

namespace kibitz::client::lichess {

// As quick about everything as tests want it.
ApiTimes QuickTimes();
// Games by nodes rather than by time, and nothing that takes long.
BotPolicy QuickPolicy();

// A bot that plays on a thread of its own. Ends the test's program where it cannot start.
class RunningBot {
 public:
  RunningBot(const stand_in::StandIn& server, const Connection& connection, const std::string& token,
             BotOptions options, const ApiTimes& times = QuickTimes(), const std::string& ca_file = "");
  // Stops it by its policy.
  ~RunningBot();

  BotView view() const { return bot_->view(); }
  // Waits until it has stopped.
  absl::Status Stop();

 private:
  std::unique_ptr<http::HttpClient> http_;
  std::unique_ptr<LichessApi> api_;
  std::stop_source stop_;
  std::unique_ptr<Bot> bot_;
  absl::Status end_;
  std::thread thread_;
};

// One for a whole program: starting a server of ours takes time.
const Connection& SharedConnection();

}  // namespace kibitz::client::lichess

#endif  // KIBITZ_TESTS_CLIENT_LICHESS_BOT_ARENA_H_
