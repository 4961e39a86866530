// Serves the calls of all methods, on completion queues.

#ifndef KIBITZ_SERVER_RPC_CALL_SERVER_H_
#define KIBITZ_SERVER_RPC_CALL_SERVER_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "grpcpp/generic/async_generic_service.h"
#include "grpcpp/grpcpp.h"
#include "server/memory/memory_budget.h"
#include "server/rpc/call_chain.h"
#include "server/rpc/call_list.h"
#include "server/rpc/completion_queue.h"
#include "server/rpc/connection.h"
#include "server/rpc/method.h"
#include "server/rpc/server_call.h"

namespace kibitz::server {

// Set up in the order of its methods by one thread. Tick is for one thread, StopReading and AwaitWork may come from
// any.
class CallServer {
 public:
  struct Bounds {
    // By when a call that needs a request must have sent it.
    std::chrono::milliseconds request_time = std::chrono::seconds(10);
    // What may wait to be sent of one call. One that goes beyond it, or beyond the budget of all, is cut off.
    std::size_t max_unsent_bytes_per_call = 4 << 20;
  };
  // The connection of a peer, as gRPC names it; nullptr when there is none.
  using FindConnection = std::function<std::shared_ptr<Connection>(const std::string& peer)>;

  // What waits to be sent is taken from `unsent`.
  CallServer(CallChain chain, MethodTable methods, const Bounds& bounds, MemoryBudget& unsent,
             FindConnection find_connection);
  ~CallServer() { Shutdown(); }

  // Adds the service, with its queues, to a server that is to be built.
  void AddTo(grpc::ServerBuilder& builder, int queues);
  // Takes calls. The server has been started.
  void Serve();

  // Ends the calls whose request does not come, and relieves a queue that is held up. To be called ten times a second.
  void Tick();

  // The server shuts down: tells those who might go on asking.
  void StopReading();
  // Waits until no call is open whose request has come, or until `deadline`.
  void AwaitWork(std::chrono::system_clock::time_point deadline);
  // Ends the threads. The server must have been shut down. Later calls do nothing.
  void Shutdown();

 private:
  friend class ServerCall;

  // A queue and the calls that came in on it.
  struct Lane {
    CompletionQueue queue;
    CallList readers;
  };

  void RequestCall(grpc::GenericServerContext& context, grpc::GenericServerAsyncReaderWriter& wire,
                   CompletionQueue& queue, void* tag) {
    service_.RequestCall(&context, &wire, queue.get(), queue.get(), tag);
  }
  const Method* FindMethod(absl::string_view name) const;
  void CountWork(int change);
  std::vector<std::shared_ptr<ServerCall>> Readers();
  void EndOverdue();

  const CallChain chain_;
  const MethodTable methods_;
  const Bounds bounds_;
  MemoryBudget& unsent_;
  const FindConnection find_connection_;
  grpc::AsyncGenericService service_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::atomic<bool> stopped_reading_{false};
  std::atomic<int> work_{0};  // calls that are open and whose request has come

  std::mutex mutex_;  // for those who wait for what follows
  std::condition_variable no_work_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_CALL_SERVER_H_
