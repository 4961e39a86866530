#include "server/server.h"

#include <sys/resource.h>

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "engine/engine.h"
#include "grpcpp/resource_quota.h"
#include "server/auth/identify.h"
#include "server/auth/key_store.h"
#include "server/job_options.h"
#include "server/memory/heap_trimmer.h"
#include "server/memory/memory_budget.h"
#include "server/metrics/call_counts.h"
#include "server/metrics/process_status.h"
#include "server/metrics/server_status.h"
#include "server/rpc/call_bounds.h"
#include "server/rpc/call_log.h"
#include "server/rpc/call_server.h"
#include "server/rpc/listener.h"
#include "server/rpc/peer_address.h"
#include "server/rpc/request_ids.h"
#include "server/scheduler/timer_queue.h"
#include "server/service/admin_service.h"
#include "server/service/analysis_service.h"
#include "server/service/health_service.h"
#include "server/service/job_service.h"
#include "server/service/reflection_service.h"
#include "server/store/result_store.h"
#include "server/store_options.h"
#include "server/tls/certificates.h"
#include "server/tls/tls_credentials.h"
#include "server/tls_options.h"

namespace kibitz::server {
namespace {

// What the last answers and farewells may take once all streams have ended.
constexpr std::chrono::milliseconds kGoodbyeTime{200};

// Descriptors for all that is no connection: logs, tables, gRPC's own.
constexpr int kOtherDescriptors = 32;
constexpr int kDescriptorsPerConnection = 2;

constexpr std::chrono::seconds kTrimInterval{2};

// What a connection and a call take in gRPC and here, as measured, with metadata and without messages.
constexpr std::size_t kConnectionBytes = 16 << 10;
constexpr std::size_t kCallBytes = 24 << 10;

constexpr int kReadBytes = 64 << 10;

// For the messages that wait until gRPC takes them.
constexpr std::size_t kUnsentBytes = 256 << 20;

constexpr CallBounds::Bounds kCallBounds;

// How soon certificates and keys that were replaced are used.
constexpr std::chrono::seconds kRefreshInterval{1};

int Cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

ServerOptions WithDefaults(ServerOptions options) {
  if (options.workers == 0) options.workers = Cores();
  // A request may ask for all workers.
  options.max_live = std::max(options.max_live, options.workers);
  return options;
}

// As many as the options allow and the descriptors suffice for.
int MaxConnections(const ServerOptions& options) {
  rlimit descriptors{};
  if (getrlimit(RLIMIT_NOFILE, &descriptors) != 0 || descriptors.rlim_cur == RLIM_INFINITY) {
    return options.max_connections;
  }
  const auto limit = static_cast<std::int64_t>(std::min<rlim_t>(descriptors.rlim_cur, 1 << 30));
  const std::int64_t enough = (limit - kOtherDescriptors) / kDescriptorsPerConnection;
  return static_cast<int>(std::clamp<std::int64_t>(enough, 1, options.max_connections));
}

// For the messages that gRPC holds, half read or half sent. Beyond it the worst connections are closed.
std::size_t TransportBytes(const ServerOptions& options) {
  constexpr std::size_t kLeast = 16 << 20;
  return std::max(kLeast, MemoryBudget::Megabytes(options.memory_mb) / 8);
}

// The part of all memory that is not for what requests ask for, but for their being there; half of it at the most.
std::size_t OverheadBytes(const ServerOptions& options) {
  const std::size_t most = TransportBytes(options) +
                           static_cast<std::size_t>(options.max_connections) * kConnectionBytes +
                           static_cast<std::size_t>(kCallBounds.max_calls) * kCallBytes;
  return std::min(most, MemoryBudget::Megabytes(options.memory_mb) / 2);
}

AnalysisService::Options ServiceOptions(const ServerOptions& options) {
  return {.workers = options.workers,
          .max_live = options.max_live,
          .max_queue = options.max_queue,
          .max_sessions = options.max_sessions,
          .hash_mb = options.hash_mb,
          .perft_hash_mb = options.perft_hash_mb,
          .private_tables_mb = options.private_tables_mb,
          .max_message_bytes = options.max_message_bytes,
          .max_batch_bytes = options.max_batch_bytes,
          .openings = options.openings,
          .caps = {.max_threads = options.workers,
                   .max_multi_pv = options.max_multi_pv,
                   .max_perft_hash_mb = options.perft_hash_mb,
                   .max_perft_time = options.max_perft_time,
                   .max_perft_nodes = options.max_perft_nodes,
                   .max_search_time = options.max_search_time,
                   .default_search_time = options.default_search_time}};
}

JobService::Options JobOptions(const ServerOptions& options, TenantOf tenant_of) {
  return {.times = {.max_wait = options.job_wait, .max_keep = options.job_keep},
          .part_time = options.job_part_time,
          .caps = ServiceOptions(options).caps,
          .max_message_bytes = options.max_batch_bytes,
          // One more than there are workers: while one part is put down another is done.
          .width = options.workers + 1,
          .webhook = {.first_pause = options.webhook_pause},
          .tenant_of = std::move(tenant_of)};
}

// Bounds on what one connection may do to the others.
void SetBounds(grpc::ServerBuilder& builder, const ServerOptions& options) {
  constexpr int kMinute = 60'000;  // milliseconds
  builder.SetMaxReceiveMessageSize(std::max(options.max_message_bytes, options.max_batch_bytes));
  builder.SetResourceQuota(grpc::ResourceQuota("kibitzd").Resize(TransportBytes(options)));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kCallBounds.max_calls_per_connection);
  builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, static_cast<int>(kCallBounds.max_metadata_bytes));
  // What is read at a time is also worked through at a time, by a thread that others wait for.
  builder.AddChannelArgument(GRPC_ARG_TCP_MAX_READ_CHUNK_SIZE, kReadBytes);
  // Who connects must also say so.
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, static_cast<int>(options.handshake_time.count()));
  // A peer that vanished without a word is noticed, so that its searches end; one that pings too often is cut off.
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kMinute);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kMinute / 3);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, kMinute / 6);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS, 30 * kMinute);
  // Without a grace period, so that no stream is cut off.
  if (options.max_connection_age.count() > 0) {
    builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_MS,
                               static_cast<int>(std::chrono::milliseconds(options.max_connection_age).count()));
  }
}

}  // namespace

class Server::Impl {
 public:
  // `keys` are those of the callers; nullptr: nobody is asked for one.
  Impl(const ServerOptions& options, std::unique_ptr<KeyStore> keys, std::unique_ptr<ResultStore> store)
      : options_(WithDefaults(options)),
        keys_(std::move(keys)),
        memory_(MemoryBudget::Megabytes(options_.memory_mb)),
        overhead_(options_.listen.empty() ? nullptr : memory_.Take(OverheadBytes(options_))),
        unsent_(kUnsentBytes, &memory_),
        analysis_(ServiceOptions(options_), memory_, std::move(store)),
        jobs_(JobOptions(options_, [this](const std::string& name) { return TenantNamed(name); }), analysis_, memory_),
        calls_(MakeChain(), MakeMethods(), {.request_time = options_.request_time}, unsent_,
               [this](const std::string& peer) { return listener_ == nullptr ? nullptr : listener_->Find(peer); }) {}

  absl::Status Start() {
    // Debian's Abseil looks for lock cycles at every lock, as in a debug build. That costs gRPC about a fifth of a
    // call.
    absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
    if (absl::Status net = SetEvaluation(options_.evaluation, options_.eval_file); !net.ok()) return net;
    if (absl::Status opened = analysis_.OpenTablebases(options_.syzygy_path); !opened.ok()) return opened;
    if (absl::Status tls = OpenTls(); !tls.ok()) return tls;
    if (absl::Status jobs = OpenJobs(); !jobs.ok()) return jobs;
    if (absl::Status listening = Listen(); !listening.ok()) return listening;
    grpc::ServerBuilder builder;
    SetBounds(builder, options_);
    calls_.AddTo(builder, Cores());
    std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> acceptor;
    if (listener_ != nullptr) {
      acceptor = builder.experimental().AddExternalConnectionAcceptor(
          grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD,
          tls_ == nullptr ? grpc::InsecureServerCredentials() : tls_);
    }
    server_ = builder.BuildAndStart();
    if (server_ == nullptr) return absl::InternalError("gRPC did not start");
    calls_.Serve();
    RefreshFiles();
    if (listener_ == nullptr) return absl::OkStatus();
    housekeeping_.emplace();
    TrimHeap();
    return Accept(std::move(acceptor));
  }

  void Drain() {
    health_.Drain();
    jobs_.Drain();
  }

  void Shutdown(std::chrono::milliseconds grace) {
    std::call_once(shutdown_, [&] {
      const auto deadline = std::chrono::system_clock::now() + grace;
      health_.Shutdown();
      admin_.Shutdown();
      if (listener_ != nullptr) listener_->Stop();
      calls_.StopReading();
      jobs_.Shutdown();
      analysis_.Shutdown();
      // gRPC's own shutdown would cut streams inside the process, and over sockets it waits for idle clients as well,
      // many of which look at their connection every few seconds only.
      calls_.AwaitWork(deadline);
      if (server_ != nullptr) server_->Shutdown(std::min(deadline, std::chrono::system_clock::now() + kGoodbyeTime));
      calls_.Shutdown();
      if (housekeeping_.has_value()) housekeeping_->Shutdown();
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

  ServerStatus status() const {
    ServerStatus status;
    status.version = std::string(EngineVersion());
    status.build = EngineBuild();
    status.evaluation = std::string(EvaluationName());
    status.budgets.push_back(BudgetStatus::Of("requests", memory_));
    status.budgets.push_back(BudgetStatus::Of("unsent", unsent_));
    analysis_.WriteStatus(status);
    jobs_.WriteStatus(status);
    status.calls = call_counts_->counts();
    if (listener_ != nullptr) {
      status.connections = listener_->counts();
      status.max_connections = MaxConnections(options_);
    }
    if (tls_ != nullptr) status.certificate_expiry = tls_->NotAfter();
    status.process = ReadProcessStatus();
    return status;
  }

  std::shared_ptr<grpc::Channel> InProcessChannel() { return server_->InProcessChannel({}); }
  const std::string& address() const { return address_; }
  int port() const { return listener_ == nullptr ? 0 : listener_->port(); }

 private:
  MethodTable MakeMethods() {
    MethodTable methods;
    analysis_.AddMethods(methods);
    jobs_.AddMethods(methods);
    admin_.AddMethods(methods);
    health_.AddMethods(methods);
    if (options_.reflection) reflection_.AddMethods(methods);
    return methods;
  }

  absl::Status OpenTls() {
    const absl::StatusOr<std::optional<TlsFiles>> files = TlsFilesOf(options_);
    if (!files.ok()) return files.status();
    if (!files->has_value()) return absl::OkStatus();
    absl::StatusOr<std::shared_ptr<TlsCredentials>> tls = TlsCredentials::Open(**files);
    if (!tls.ok()) return tls.status();
    tls_ = *std::move(tls);
    return absl::OkStatus();
  }

  absl::Status OpenJobs() {
    absl::StatusOr<std::unique_ptr<JobQueue>> queue =
        OpenJobQueue(options_, [this](const std::string& name) { return TenantNamed(name); });
    if (!queue.ok()) return queue.status();
    if (*queue == nullptr) return absl::OkStatus();
    absl::StatusOr<WebhookRules> webhooks = ReadWebhookRules(options_);
    if (!webhooks.ok()) return webhooks.status();
    jobs_.Start(*std::move(queue), JobAbility(options_), *std::move(webhooks));
    return absl::OkStatus();
  }

  TenantPointer TenantNamed(const std::string& name) const {
    if (name.empty()) return AnonymousTenant();
    const TenantPointer tenant = keys_ == nullptr ? nullptr : keys_->ring()->FindTenant(name);
    return tenant != nullptr ? tenant : std::make_shared<const Tenant>(Tenant{.name = name});
  }

  // What every call passes, in this order.
  CallChain MakeChain() {
    CallChain chain;
    chain.Add(std::make_unique<RequestIds>());
    chain.Add(std::make_unique<CallBounds>(kCallBounds));
    if (keys_ != nullptr) chain.Add(std::make_unique<Identify>(*keys_));
    auto counts = std::make_unique<CallCounts>(MakeMethods(), analysis_.ledger());
    call_counts_ = counts.get();
    chain.Add(counts->MakeStep());
    chain.Add(std::unique_ptr<CallMeter>(std::move(counts)));
    if (options_.log_calls) chain.Add(std::make_unique<CallLog>(options_.log_one_in));
    return chain;
  }

  absl::Status Listen() {
    if (options_.listen.empty()) return absl::OkStatus();
    const absl::StatusOr<ListenAddress> address = ParseListenAddress(options_.listen);
    if (!address.ok()) return address.status();
    absl::StatusOr<std::vector<AddressRange>> proxies = ParseAddressRanges(options_.proxies);
    if (!proxies.ok()) return proxies.status();
    absl::StatusOr<std::unique_ptr<Listener>> listener =
        Listener::Open(*address, {.max_connections = MaxConnections(options_),
                                  .max_connections_per_peer = options_.max_connections_per_peer,
                                  .proxies = *std::move(proxies),
                                  .max_message_bytes = options_.max_message_bytes,
                                  .max_batch_bytes = options_.max_batch_bytes});
    if (!listener.ok()) return listener.status();
    listener_ = *std::move(listener);
    if (!listener_->loopback() && tls_ == nullptr && !options_.insecure) return PlaintextRefused(*address);
    address_ = ListenAddress{address->host, listener_->port()}.ToString();
    return absl::OkStatus();
  }

  // Looks at the files that operators may replace, from now on.
  void RefreshFiles() {
    if (tls_ == nullptr && keys_ == nullptr) return;
    if (!file_timers_.has_value()) file_timers_.emplace();
    if (tls_ != nullptr) tls_->Refresh();
    if (keys_ != nullptr) keys_->Refresh();
    file_timers_->Schedule(TimerQueue::Clock::now() + kRefreshInterval, [this] { RefreshFiles(); });
  }

  absl::Status Accept(std::shared_ptr<grpc::experimental::ExternalConnectionAcceptor> acceptor) {
    const auto accept = [acceptor](int fd) {
      grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters connection;
      connection.fd = fd;
      acceptor->HandleNewConnection(&connection);
    };
    return listener_->Start(accept, [this] { calls_.Tick(); });
  }

  // It takes its time, so it has a thread of its own.
  void TrimHeap() {
    heap_trimmer_.Check();
    housekeeping_->Schedule(TimerQueue::Clock::now() + kTrimInterval, [this] { TrimHeap(); });
  }

  const ServerOptions options_;
  const std::unique_ptr<KeyStore> keys_;
  MemoryBudget memory_;  // for all requests
  const MemoryBudget::Lease overhead_;
  MemoryBudget unsent_;
  AnalysisService analysis_;
  JobService jobs_;
  AdminService admin_{[this] { return status(); }};
  HealthService health_;
  ReflectionService reflection_;
  std::shared_ptr<TlsCredentials> tls_;  // nullptr: plaintext
  std::unique_ptr<Listener> listener_;
  const CallCounts* call_counts_ = nullptr;  // the chain's
  CallServer calls_;
  std::unique_ptr<grpc::Server> server_;
  // A disk that does not answer holds up nobody else. Ends before what its callbacks look at.
  std::optional<TimerQueue> file_timers_;
  HeapTrimmer heap_trimmer_;
  std::optional<TimerQueue> housekeeping_;
  std::string address_;
  std::once_flag shutdown_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
};

absl::StatusOr<std::unique_ptr<Server>> Server::Start(const ServerOptions& options) {
  try {
    std::unique_ptr<KeyStore> keys;
    if (!options.keys.empty()) {
      absl::StatusOr<std::unique_ptr<KeyStore>> opened = KeyStore::Open(options.keys);
      if (!opened.ok()) return opened.status();
      keys = *std::move(opened);
    }
    absl::StatusOr<std::unique_ptr<ResultStore>> store = OpenStore(options);
    if (!store.ok()) return store.status();
    auto impl = std::make_unique<Impl>(options, std::move(keys), *std::move(store));
    if (absl::Status started = impl->Start(); !started.ok()) {
      impl->Shutdown(std::chrono::milliseconds(0));
      return started;
    }
    return std::unique_ptr<Server>(new Server(std::move(impl)));
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(absl::StrCat("there is not enough memory for a table of ", options.hash_mb,
                                                     " MiB: choose a smaller --hash-mb"));
  } catch (const std::system_error& error) {
    return absl::ResourceExhaustedError(absl::StrCat("the system gives no more threads (", error.what(),
                                                     "): raise the limit of processes or of memory"));
  }
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() { impl_->Shutdown(std::chrono::milliseconds(0)); }

void Server::ClearHash() { impl_->ClearHash(); }
std::shared_ptr<grpc::Channel> Server::InProcessChannel() { return impl_->InProcessChannel(); }
const std::string& Server::address() const { return impl_->address(); }
ServerStatus Server::status() const { return impl_->status(); }
int Server::port() const { return impl_->port(); }
void Server::Wait() { impl_->Wait(); }
void Server::Drain() { impl_->Drain(); }
void Server::Shutdown(std::chrono::milliseconds grace) { impl_->Shutdown(grace); }

}  // namespace kibitz::server
