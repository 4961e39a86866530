#include "server/server.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "server/analysis_service.h"
#include "server/rpc/completion_loop.h"

namespace kibitz::server {
namespace {

// Far above any real request: 12,000 moves take less than 100 kB.
constexpr int kMaxMessageBytes = 1 << 20;

}  // namespace

class Server::Impl {
 public:
  explicit Impl(const ServerOptions& options) : options_(options) {}

  absl::Status Start() {
    grpc::ServerBuilder builder;
    builder.SetMaxReceiveMessageSize(kMaxMessageBytes);
    // Without this a second server would share a port in silence.
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
    builder.RegisterService(service_.service());
    loop_ = std::make_unique<CompletionLoop>(builder.AddCompletionQueue());
    if (!options_.listen.empty()) {
      builder.AddListeningPort(options_.listen, grpc::InsecureServerCredentials(), &port_);
    }
    server_ = builder.BuildAndStart();
    if (server_ == nullptr) {
      return absl::UnavailableError(absl::StrCat("cannot listen on ", options_.listen));
    }
    address_ =
        options_.listen.empty() ? "" : absl::StrCat(options_.listen.substr(0, options_.listen.rfind(':')), ":", port_);
    service_.Serve(loop_->queue());
    const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
    for (unsigned i = 0; i < threads; ++i) loop_->AddThread();
    return absl::OkStatus();
  }

  void Shutdown(std::chrono::milliseconds grace) {
    std::call_once(shutdown_, [&] {
      if (server_ != nullptr) server_->Shutdown(std::chrono::system_clock::now() + grace);
      loop_->Shutdown();
      std::lock_guard lock(mutex_);
      over_ = true;
      changed_.notify_all();
    });
  }

  void Wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return over_; });
  }

  std::shared_ptr<grpc::Channel> InProcessChannel() { return server_->InProcessChannel({}); }
  const std::string& address() const { return address_; }
  int port() const { return port_; }

 private:
  const ServerOptions options_;
  AnalysisService service_;
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
  if (absl::Status started = impl->Start(); !started.ok()) return started;
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() { impl_->Shutdown(std::chrono::milliseconds(0)); }

std::shared_ptr<grpc::Channel> Server::InProcessChannel() { return impl_->InProcessChannel(); }
const std::string& Server::address() const { return impl_->address(); }
int Server::port() const { return impl_->port(); }
void Server::Wait() { impl_->Wait(); }
void Server::Shutdown(std::chrono::milliseconds grace) { impl_->Shutdown(grace); }

}  // namespace kibitz::server
