// The threads that serve calls: they wait for gRPC to finish something and run what comes next.
//
// Kibitz uses gRPC's completion queues and not its callback API, whose threads sleep for up to 100 ms once they have
// been idle for a second.

#ifndef KIBITZ_SERVER_RPC_COMPLETION_LOOP_H_
#define KIBITZ_SERVER_RPC_COMPLETION_LOOP_H_

#include <memory>
#include <thread>
#include <vector>

#include "grpcpp/grpcpp.h"

namespace kibitz::server {

// Something that gRPC was asked to do. Its address is the tag on the completion queue.
class Event {
 public:
  // It is done; `ok` is false when it could not be done. Runs on a thread of the loop: it must not block.
  virtual void Done(bool ok) = 0;

 protected:
  ~Event() = default;
};

class CompletionLoop {
 public:
  explicit CompletionLoop(std::unique_ptr<grpc::ServerCompletionQueue> queue) : queue_(std::move(queue)) {}
  ~CompletionLoop() { Shutdown(); }

  grpc::ServerCompletionQueue* queue() { return queue_.get(); }

  // Adds a thread. The server must have been started.
  void AddThread();

  // Ends the threads once every event has come. The server must have been shut down. Later calls do nothing.
  void Shutdown();

 private:
  std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  std::vector<std::thread> threads_;
  bool shut_down_ = false;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_COMPLETION_LOOP_H_
