#include "client/connection.h"

#include <grpcpp/channel.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/key.h"
#include "client/net/server_address.h"
#include "client/net/tls_files.h"
#include "client/net/tls_probe.h"
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

// How long a second look at a server may take that could not be talked to.
constexpr absl::Duration kLook = absl::Seconds(3);

std::string LookAgain(const std::string& server, const TlsOptions& tls) {
  const TlsProbe probe = ProbeTls(server, tls, absl::Now() + kLook);
  if (tls.IsOn()) return probe.outcome == TlsProbe::Outcome::kUnreachable ? "" : probe.words;
  if (!probe.certificate) return "";
  return server + " speaks TLS: name the file of its CA by --tls-ca, or say --tls if this machine knows the CA";
}

absl::StatusOr<std::shared_ptr<grpc::ChannelCredentials>> MakeCredentials(const TlsOptions& tls) {
  if (!tls.IsOn()) return grpc::InsecureChannelCredentials();
  absl::StatusOr<TlsFiles> files = ReadTlsFiles(tls);
  if (!files.ok()) return files.status();
  return grpc::SslCredentials({.pem_root_certs = std::move(files->ca),
                               .pem_private_key = std::move(files->client_key),
                               .pem_cert_chain = std::move(files->client_cert)});
}

absl::Status CheckSecrecy(const ConnectionOptions& options) {
  const auto address = ParseServerAddress(options.server);
  const bool stays_here = address && IsLoopback(*address);
  if (options.key.empty() || options.tls.IsOn() || options.insecure || stays_here) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "the key would go to ", options.server,
      " in plaintext, for all on the way to read: name the server's CA by --tls-ca FILE, say --tls if this "
      "machine knows it, or --insecure if nobody else is on the way"));
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
  if (!embedded.evaluation.empty()) options.evaluation = embedded.evaluation;
  options.eval_file = embedded.eval_file;
  // Whoever counts on his own machine knows how long he wants to wait.
  options.max_perft_time = std::chrono::hours(24 * 365);
  options.max_perft_nodes = std::numeric_limits<std::uint64_t>::max();
  return server::Server::Start(options);
}

}  // namespace

absl::StatusOr<Connection::Way> Connection::ReachServer(const ConnectionOptions& options) {
  if (absl::Status status = CheckSecrecy(options); !status.ok()) return status;
  auto credentials = MakeCredentials(options.tls);
  if (!credentials.ok()) return credentials.status();
  grpc::ChannelArguments arguments = MakeChannelArguments();
  if (!options.tls.server_name.empty()) arguments.SetSslTargetNameOverride(options.tls.server_name);
  Peer peer{.name = options.server,
            .look_again = [server = options.server, tls = options.tls] { return LookAgain(server, tls); }};
  return Way{.channel = grpc::CreateCustomChannel(options.server, *credentials, arguments), .peer = std::move(peer)};
}

absl::StatusOr<std::unique_ptr<Connection>> Connection::Open(const ConnectionOptions& options) {
  // gRPC ends the process over metadata that cannot be sent.
  if (absl::Status status = CheckKey(options.key); !status.ok()) return status;
  if (!options.server.empty()) {
    const absl::StatusOr<Way> way = ReachServer(options);
    if (!way.ok()) return way.status();
    return std::unique_ptr<Connection>(new Connection(options, nullptr, *way));
  }
  auto embedded = StartEmbedded(options.embedded);
  if (!embedded.ok()) return embedded.status();
  const Way way{.channel = (*embedded)->InProcessChannel(), .peer = {.name = "the embedded server"}};
  return std::unique_ptr<Connection>(new Connection(options, *std::move(embedded), way));
}

Connection::Connection(const ConnectionOptions& options, std::unique_ptr<server::Server> embedded, const Way& way)
    : options_(options),
      embedded_(std::move(embedded)),
      client_(way.channel, way.peer, options.key),
      jobs_(way.channel, way.peer, options.key) {}

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
