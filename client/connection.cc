#include "client/connection.h"

#include <grpcpp/channel.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <utility>

#include "client/key.h"
#include "server/server.h"
#include "server/server_options.h"
#include "spdlog/spdlog.h"

namespace kibitz::client {
namespace {

// The calls that may be made again without harm. Their pauses, half a second in all, outlast a quick restart.
constexpr char kServiceConfig[] = R"({
  "methodConfig": [{
    "name": [
      {"service": "kibitz.v1.AnalysisService", "method": "Bitboards"},
      {"service": "kibitz.v1.AnalysisService", "method": "GetServerInfo"},
      {"service": "kibitz.v1.AnalysisService", "method": "LegalMoves"}
    ],
    "retryPolicy": {
      "maxAttempts": 4,
      "initialBackoff": "0.1s",
      "maxBackoff": "0.3s",
      "backoffMultiplier": 2,
      "retryableStatusCodes": ["UNAVAILABLE"]
    }
  }]
})";

// Between two attempts to connect. gRPC's own pauses grow from a second to two minutes.
constexpr int kMinReconnectPauseMs = 100;
constexpr int kMaxReconnectPauseMs = 2000;

grpc::ChannelArguments MakeChannelArguments() {
  grpc::ChannelArguments arguments;
  // A web proxy in the environment is not meant for this: it would swallow calls even to this machine.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  // A new channel is a new attempt: it shall not wait out the pause that a failed one has earned.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, kMinReconnectPauseMs);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kMaxReconnectPauseMs);
  arguments.SetServiceConfigJSON(kServiceConfig);
  return arguments;
}

AnalysisClient MakeClient(const ConnectionOptions& options, server::Server* embedded) {
  if (embedded != nullptr) return {embedded->InProcessChannel(), "the embedded server", options.key};
  return {grpc::CreateCustomChannel(options.server, grpc::InsecureChannelCredentials(), MakeChannelArguments()),
          options.server, options.key};
}

absl::StatusOr<std::unique_ptr<server::Server>> StartEmbedded(const EmbeddedOptions& embedded) {
  // What a server logs goes to standard output unless told otherwise, among the answers. Here it is told by statuses.
  spdlog::set_level(spdlog::level::off);
  server::ServerOptions options;
  if (embedded.workers > 0) options.workers = embedded.workers;
  if (embedded.hash_mb > 0) options.hash_mb = embedded.hash_mb;
  if (embedded.max_search_time > absl::ZeroDuration()) {
    options.max_search_time = absl::ToChronoMilliseconds(embedded.max_search_time);
  }
  options.syzygy_path = embedded.syzygy_path;
  // Whoever counts on his own machine knows how long he wants to wait.
  options.max_perft_time = std::chrono::hours(24 * 365);
  options.max_perft_nodes = std::numeric_limits<std::uint64_t>::max();
  return server::Server::Start(options);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Connection>> Connection::Open(const ConnectionOptions& options) {
  // gRPC ends the process over metadata that cannot be sent.
  if (absl::Status status = CheckKey(options.key); !status.ok()) return status;
  std::unique_ptr<server::Server> embedded;
  if (options.server.empty()) {
    auto started = StartEmbedded(options.embedded);
    if (!started.ok()) return started.status();
    embedded = *std::move(started);
  }
  return std::unique_ptr<Connection>(new Connection(options, std::move(embedded)));
}

Connection::Connection(const ConnectionOptions& options, std::unique_ptr<server::Server> embedded)
    : options_(options), embedded_(std::move(embedded)), client_(MakeClient(options_, embedded_.get())) {}

Connection::~Connection() = default;

CallOptions Connection::QuickCall(std::stop_token stop) const {
  return {.timeout = options_.quick_timeout, .stop = std::move(stop)};
}

CallOptions Connection::LongCall(std::stop_token stop) const {
  return {.timeout = options_.long_timeout, .stop = std::move(stop)};
}

void Connection::ClearHash() {
  if (embedded_ != nullptr) embedded_->ClearHash();
}

}  // namespace kibitz::client
