// The threads that serve calls: they wait for gRPC to finish something and run what comes next.
//
// Kibitz uses gRPC's completion queues and not its callback API, whose threads sleep for up to 100 ms once they have
// been idle for a second.

#ifndef KIBITZ_SERVER_RPC_COMPLETION_LOOP_H_
#define KIBITZ_SERVER_RPC_COMPLETION_LOOP_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "grpcpp/grpcpp.h"

namespace kibitz::server {

// Something that gRPC is asked to do, under the tag that CompletionLoop::Begin gives for it.
class Event {
 public:
  // It is done; `ok` is false when it could not be done. Runs on a thread of the loop: it must not block.
  virtual void Done(bool ok) = 0;

 protected:
  ~Event() = default;
};

// A completion queue with the threads that serve it. AddThread and Shutdown are for its owner; all else may be called
// from any thread.
class CompletionLoop {
 public:
  // Counts a streaming call while it exists.
  class StreamCount {
   public:
    explicit StreamCount(CompletionLoop& loop) : loop_(loop) { loop_.CountStream(1); }
    ~StreamCount() { loop_.CountStream(-1); }
    StreamCount(const StreamCount&) = delete;
    StreamCount& operator=(const StreamCount&) = delete;

   private:
    CompletionLoop& loop_;
  };

  explicit CompletionLoop(std::unique_ptr<grpc::ServerCompletionQueue> queue) : queue_(std::move(queue)) {}
  ~CompletionLoop() { Shutdown(); }

  grpc::ServerCompletionQueue* queue() { return queue_.get(); }

  // The tag for an event that begins now. Every event that begins must end: by Done, or by Forget.
  void* Begin(Event& event);
  // The event will not come.
  void Forget();

  // Adds a thread. The server must have been started.
  void AddThread();

  // Waits until no stream is open, or until `deadline`.
  void AwaitStreams(std::chrono::system_clock::time_point deadline);

  // Waits for the events that have begun, then ends the threads. The server must have been shut down. Later calls do
  // nothing.
  void Shutdown();

 private:
  void RunEvents();
  void CountStream(int change);

  std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  // Events that have begun and not ended. gRPC aborts when something begins on a queue that has been shut down, so that
  // waits for these.
  std::atomic<int> open_events_ = 0;
  std::vector<std::thread> threads_;
  bool shut_down_ = false;

  std::mutex mutex_;  // guards what follows
  std::condition_variable no_streams_;
  int streams_ = 0;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_COMPLETION_LOOP_H_
