// A fake Lichess on loopback: a real HTTP server with the parts of its API that our clients use.

#ifndef KIBITZ_TESTS_SUPPORT_LICHESS_STAND_IN_H_
#define KIBITZ_TESTS_SUPPORT_LICHESS_STAND_IN_H_

#include <string>

#include "absl/status/status.h"
#include "tests/support/lichess/http_server.h"
#include "tests/support/lichess/world.h"

namespace kibitz::stand_in {

struct StandInOptions {
  HttpServerOptions http{};
  WorldOptions world{};
};

class StandIn {
 public:
  explicit StandIn(const StandInOptions& options = {}) : world_(options.world), http_(options.http) {}

  // Adds the bot's API and answers.
  absl::Status Start();

  World& world() { return world_; }
  // Other APIs add their handlers before Start.
  HttpServer& http() { return http_; }
  std::string url() const { return http_.url(); }

 private:
  World world_;
  HttpServer http_;
};

// What a status is over HTTP: Lichess's {"ok":true}, or {"error":...}.
HttpReply ReplyOf(const absl::Status& status);

}  // namespace kibitz::stand_in

#endif  // KIBITZ_TESTS_SUPPORT_LICHESS_STAND_IN_H_
