// What a command works with: a server to ask, Ctrl-C to obey, a form to answer in.

#ifndef KIBITZ_CLIENT_CLI_COMMAND_CONTEXT_H_
#define KIBITZ_CLIENT_CLI_COMMAND_CONTEXT_H_

#include <CLI/App.hpp>
#include <memory>
#include <stop_token>

#include "absl/status/statusor.h"
#include "client/analysis_client.h"
#include "client/cli/connection_flags.h"
#include "client/cli/interrupt.h"
#include "client/connection.h"

namespace kibitz::client {

struct CommonFlags {
  ConnectionFlags connection{};
  // How long one call may take. 0: ten seconds for a quick call, no bound for a search or a count.
  double timeout_seconds = 0;
  bool json = false;
};

// Adds --json, --timeout and the flags of a connection to a command.
void AddCommonFlags(CLI::App& command, CommonFlags& flags);

class CommandContext {
 public:
  // Fails where there is no key or no server to be had. A server elsewhere is called only later.
  static absl::StatusOr<std::unique_ptr<CommandContext>> Open(const CommonFlags& flags);

  const AnalysisClient& client() const { return connection_->client(); }
  const JobClient& jobs() const { return connection_->jobs(); }
  // Whether to answer in JSON.
  bool json() const { return json_; }
  // For a call that takes no time worth speaking of. Ctrl-C cancels it.
  CallOptions QuickCall() const { return connection_->QuickCall(stop()); }
  // For a search or a count. Ctrl-C cancels it.
  CallOptions LongCall() const { return connection_->LongCall(stop()); }
  // A stop is requested when the user presses Ctrl-C.
  std::stop_token stop() const { return interrupt_.token(); }
  bool interrupted() const { return stop().stop_requested(); }

 private:
  explicit CommandContext(bool json) : json_(json) {}

  const bool json_;
  // Before the threads of the connection, which must not hear the signal.
  Interrupt interrupt_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_COMMAND_CONTEXT_H_
