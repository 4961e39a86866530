#include "server/rpc/call_server.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "server/errors/errors.h"

namespace kibitz::server {
namespace {

// Calls of one queue that gRPC may hand over at once, before we ask for more.
constexpr int kAwaitedCalls = 32;

}  // namespace

CallServer::CallServer(CallChain chain, MethodTable methods, const Bounds& bounds, MemoryBudget& unsent,
                       FindConnection find_connection)
    : chain_(std::move(chain)),
      methods_(std::move(methods)),
      bounds_(bounds),
      unsent_(unsent),
      find_connection_(std::move(find_connection)) {}

void CallServer::AddTo(grpc::ServerBuilder& builder, int queues) {
  builder.RegisterAsyncGenericService(&service_);
  for (int i = 0; i < queues; ++i) {
    lanes_.push_back(
        std::unique_ptr<Lane>(new Lane{.queue = CompletionQueue(builder.AddCompletionQueue()), .readers = {}}));
  }
}

void CallServer::Serve() {
  for (const auto& lane : lanes_) {
    for (int i = 0; i < kAwaitedCalls; ++i) ServerCall::AwaitNext(*this, lane->queue, lane->readers);
    lane->queue.Serve();
  }
}

std::vector<std::shared_ptr<ServerCall>> CallServer::Readers() {
  std::vector<std::shared_ptr<ServerCall>> readers;
  for (const auto& lane : lanes_) lane->readers.CopyTo(readers);
  return readers;
}

void CallServer::Tick() {
  for (const auto& lane : lanes_) lane->queue.Relieve();
  EndOverdue();
}

void CallServer::EndOverdue() {
  const ServerCall::Clock::time_point since = ServerCall::Clock::now() - bounds_.request_time;
  for (const std::shared_ptr<ServerCall>& call : Readers()) {
    if (call->waiting_since().value_or(ServerCall::Clock::time_point::max()) > since) continue;
    call->Finish(Failure(absl::StatusCode::kDeadlineExceeded, "REQUEST_INCOMPLETE",
                         absl::StrCat("the request did not come within ", bounds_.request_time.count(), " ms")));
  }
}

void CallServer::StopReading() {
  stopped_reading_ = true;
  for (const std::shared_ptr<ServerCall>& call : Readers()) call->Shutdown();
}

void CallServer::AwaitWork(std::chrono::system_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  no_work_.wait_until(lock, deadline, [&] { return work_ == 0; });
}

void CallServer::Shutdown() {
  for (const auto& lane : lanes_) lane->queue.Shutdown();
}

const Method* CallServer::FindMethod(absl::string_view name) const {
  const auto found = methods_.find(name);
  return found == methods_.end() ? nullptr : &found->second;
}

void CallServer::CountWork(int change) {
  // Whoever waits does so only when the server stops: calls have no need of a lock before that.
  if (work_.fetch_add(change) + change != 0 || !stopped_reading_) return;
  std::lock_guard lock(mutex_);
  no_work_.notify_all();
}

}  // namespace kibitz::server
