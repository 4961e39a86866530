// One run of the program: a server of its own or the one it was pointed at, and what Ctrl-C does to the calls.

#ifndef KIBITZ_CLIENT_CLI_SESSION_H_
#define KIBITZ_CLIENT_CLI_SESSION_H_

#include <CLI/App.hpp>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "client/analysis_client.h"
#include "client/cli/interrupt.h"
#include "server/server.h"

namespace kibitz::client {

struct SessionOptions {
  // HOST:PORT. Empty: serve inside this process.
  std::string server;
  // How long one call may take. 0: ten seconds for a quick call, no bound for a search or a count.
  double timeout_seconds = 0;
  bool json = false;
};

// Adds --server to a command, with KIBITZ_SERVER as its default.
void AddServerOption(CLI::App& command, std::string& server);

// Adds --server, --timeout and --json to a command.
void AddSessionOptions(CLI::App& command, SessionOptions& options);

class Session {
 public:
  static absl::StatusOr<std::unique_ptr<Session>> Open(const SessionOptions& options);

  const AnalysisClient& client() const { return *client_; }
  // Whether to answer in JSON.
  bool json() const { return options_.json; }
  // For a call that takes no time worth speaking of.
  CallOptions QuickCall() const;
  // For a search or a count.
  CallOptions LongCall() const;
  // A stop is requested when the user presses Ctrl-C.
  std::stop_token stop() const { return interrupt_.token(); }
  bool interrupted() const { return stop().stop_requested(); }

 private:
  explicit Session(const SessionOptions& options) : options_(options) {}

  SessionOptions options_;
  Interrupt interrupt_;
  std::unique_ptr<server::Server> embedded_;
  std::unique_ptr<AnalysisClient> client_;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_SESSION_H_
