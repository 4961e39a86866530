#include "client/cli/session.h"

namespace kibitz::client {
namespace {

constexpr absl::Duration kQuickCallTimeout = absl::Seconds(10);

// An empty name is allowed: it undoes KIBITZ_SERVER.
std::string CheckServerName(const std::string& server) {
  const std::size_t colon = server.rfind(':');
  const bool has_port = colon != std::string::npos && colon > 0 && colon + 1 < server.size();
  return server.empty() || has_port ? "" : "'" + server + "' is not HOST:PORT, such as 127.0.0.1:50051";
}

}  // namespace

void AddServerOption(CLI::App& command, std::string& server) {
  command.add_option("--server", server, "Call this server instead of computing in this process")
      ->type_name("HOST:PORT")
      ->envname("KIBITZ_SERVER")
      ->check(CLI::Validator(CheckServerName, ""));
}

void AddSessionOptions(CLI::App& command, SessionOptions& options) {
  command.add_flag("--json", options.json, "Print JSON Lines: protobuf's JSON mapping, every field, one object a line");
  AddServerOption(command, options.server);
  command.add_option("--timeout", options.timeout_seconds, "Give up after this long (none for a search or a count)")
      ->type_name("SECONDS")
      ->check(CLI::NonNegativeNumber.description(""));
}

absl::StatusOr<std::unique_ptr<Session>> Session::Open(const SessionOptions& options) {
  auto session = std::unique_ptr<Session>(new Session(options));
  if (!options.server.empty()) {
    session->client_ = std::make_unique<AnalysisClient>(ConnectTo(options.server), options.server);
    return session;
  }
  auto embedded = server::Server::Start(server::ServerOptions{});
  if (!embedded.ok()) return embedded.status();
  session->embedded_ = *std::move(embedded);
  session->client_ = std::make_unique<AnalysisClient>(session->embedded_->InProcessChannel(), "the embedded server");
  return session;
}

CallOptions Session::QuickCall() const {
  CallOptions call = LongCall();
  if (options_.timeout_seconds == 0) call.timeout = kQuickCallTimeout;
  return call;
}

CallOptions Session::LongCall() const {
  CallOptions call{.stop = stop()};
  if (options_.timeout_seconds > 0) call.timeout = absl::Seconds(options_.timeout_seconds);
  return call;
}

}  // namespace kibitz::client
