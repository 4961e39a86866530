// A gRPC completion queue and the threads that serve it: they wait for gRPC to finish something and run what comes
// next.
//
// Kibitz uses completion queues and not gRPC's callback API, whose threads sleep for up to 100 ms once they have been
// idle for a second.

#ifndef KIBITZ_SERVER_RPC_COMPLETION_QUEUE_H_
#define KIBITZ_SERVER_RPC_COMPLETION_QUEUE_H_

#include <atomic>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "grpcpp/grpcpp.h"

namespace kibitz::server {

// Something that gRPC is asked to do, under the tag that CompletionQueue::Begin gives for it.
class QueueEvent {
 public:
  // It is done; `ok` is false when it could not be done. Runs on a thread of the queue: it must not block.
  virtual void Done(bool ok) = 0;

 protected:
  ~QueueEvent() = default;
};

// AddThread and Shutdown are for its owner; all else may be called from any thread.
class CompletionQueue {
 public:
  explicit CompletionQueue(std::unique_ptr<grpc::ServerCompletionQueue> queue) : queue_(std::move(queue)) {}
  ~CompletionQueue() { Shutdown(); }

  grpc::ServerCompletionQueue* get() { return queue_.get(); }

  // The tag for an event that begins now. Every event that begins must end: by Done, or by Forget.
  void* Begin(QueueEvent& event);
  // The event will not come.
  void Forget();

  // Adds a thread. The server must have been started.
  void AddThread();

  // Waits for the events that have begun, then ends the threads. The server must have been shut down. Later calls do
  // nothing.
  void Shutdown();

 private:
  void RunEvents();

  std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  // Events that have begun and not ended. gRPC aborts when something begins on a queue that has been shut down, so that
  // waits for these.
  std::atomic<int> open_events_ = 0;
  std::vector<std::thread> threads_;
  bool shut_down_ = false;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_COMPLETION_QUEUE_H_
