#include "server/server.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "grpcpp/ext/proto_server_reflection_plugin.h"
#include "server/analysis_service.h"
#include "server/health_service.h"
#include "server/listen_address.h"
#include "server/rpc/completion_loop.h"

namespace kibitz::server {
namespace {

// What the last answers and farewells may take once all streams have ended.
constexpr std::chrono::milliseconds kGoodbyeTime{200};

int Cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

ServerOptions WithDefaults(ServerOptions options) {
  if (options.workers == 0) options.workers = Cores();
  // A request may ask for all workers.
  options.max_live = std::max(options.max_live, options.workers);
  return options;
}

void SetUpLibraries() {
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  // Debian's Abseil looks for lock cycles at every lock, as in a debug build. That costs gRPC about a fifth of a call.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
}

// Bounds on what one connection may do to the others.
void SetBounds(grpc::ServerBuilder& builder, const ServerOptions& options) {
  constexpr int kMaxStreamsPerConnection = 1024;
  constexpr int kMaxMetadataBytes = 8 << 10;
  constexpr int kMinute = 60'000;  // milliseconds
  builder.SetMaxReceiveMessageSize(options.max_message_bytes);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kMaxStreamsPerConnection);
  builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, kMaxMetadataBytes);
  // A peer that vanished without a word is noticed, so that its searches end; one that pings too often is cut off.
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kMinute);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kMinute / 3);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, kMinute / 6);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS, 30 * kMinute);
  // Without this a second server would share a port in silence.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  // Reflection is the only service on gRPC's own threads.
  builder.SetSyncServerOption(grpc::ServerBuilder::NUM_CQS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MAX_POLLERS, 1);
}

}  // namespace

class Server::Impl {
 public:
  explicit Impl(const ServerOptions& options) : options_(WithDefaults(options)), analysis_(options_) {}

  absl::Status Start() {
    SetUpLibraries();
    if (absl::Status opened = analysis_.OpenTablebases(); !opened.ok()) return opened;
    grpc::ServerBuilder builder;
    SetBounds(builder, options_);
    builder.RegisterService(analysis_.service());
    builder.RegisterService(health_.service());
    ListenAddress address;
    if (!options_.listen.empty()) {
      absl::StatusOr<ListenAddress> parsed = ParseListenAddress(options_.listen);
      if (!parsed.ok()) return parsed.status();
      address = *std::move(parsed);
      builder.AddListeningPort(address.ToString(), grpc::InsecureServerCredentials(), &port_);
    }
    loop_ = std::make_unique<CompletionLoop>(builder.AddCompletionQueue());
    server_ = builder.BuildAndStart();
    if (server_ == nullptr) return ExplainListenFailure(address);
    if (port_ != 0) address_ = ListenAddress{address.host, port_}.ToString();
    analysis_.Serve(*loop_);
    health_.Serve(*loop_);
    for (int i = 0; i < Cores(); ++i) loop_->AddThread();
    return absl::OkStatus();
  }

  void Shutdown(std::chrono::milliseconds grace) {
    std::call_once(shutdown_, [&] {
      const auto deadline = std::chrono::system_clock::now() + grace;
      health_.Shutdown();
      analysis_.Shutdown();
      // gRPC's own shutdown would cut streams inside the process, and over sockets it waits for idle clients as well,
      // many of which look at their connection every few seconds only.
      if (loop_ != nullptr) loop_->AwaitStreams(deadline);
      if (server_ != nullptr) server_->Shutdown(std::min(deadline, std::chrono::system_clock::now() + kGoodbyeTime));
      if (loop_ != nullptr) loop_->Shutdown();
      std::lock_guard lock(mutex_);
      over_ = true;
      changed_.notify_all();
    });
  }

  void ClearHash() { analysis_.ClearHash(); }

  void Wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return over_; });
  }

  std::shared_ptr<grpc::Channel> InProcessChannel() { return server_->InProcessChannel({}); }
  const std::string& address() const { return address_; }
  int port() const { return port_; }

 private:
  const ServerOptions options_;
  AnalysisService analysis_;
  HealthService health_;
  std::unique_ptr<CompletionLoop> loop_;
  std::unique_ptr<grpc::Server> server_;
  std::string address_;
  int port_ = 0;
  std::once_flag shutdown_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
};

absl::StatusOr<std::unique_ptr<Server>> Server::Start(const ServerOptions& options) {
  auto impl = std::make_unique<Impl>(options);
  if (absl::Status started = impl->Start(); !started.ok()) {
    impl->Shutdown(std::chrono::milliseconds(0));
    return started;
  }
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() { impl_->Shutdown(std::chrono::milliseconds(0)); }

void Server::ClearHash() { impl_->ClearHash(); }
std::shared_ptr<grpc::Channel> Server::InProcessChannel() { return impl_->InProcessChannel(); }
const std::string& Server::address() const { return impl_->address(); }
int Server::port() const { return impl_->port(); }
void Server::Wait() { impl_->Wait(); }
void Server::Shutdown(std::chrono::milliseconds grace) { impl_->Shutdown(grace); }

}  // namespace kibitz::server
