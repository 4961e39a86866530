// A gRPC completion queue and the thread that serves it: it waits for gRPC to finish something and runs what comes
// next.
//
// Kibitz uses completion queues and not gRPC's callback API, whose threads sleep for up to 100 ms once they have been
// idle for a second.

#ifndef KIBITZ_SERVER_RPC_COMPLETION_QUEUE_H_
#define KIBITZ_SERVER_RPC_COMPLETION_QUEUE_H_

#include <time.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>

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

// Serve, Relieve and Shutdown are for its owner, one at a time; all else may be called from any thread.
class CompletionQueue {
 public:
  explicit CompletionQueue(std::unique_ptr<grpc::ServerCompletionQueue> queue) : queue_(std::move(queue)) {}
  ~CompletionQueue() { Shutdown(); }

  grpc::ServerCompletionQueue* get() { return queue_.get(); }

  // The tag for an event that begins now. Every event that begins must end: by Done, or by Forget.
  void* Begin(QueueEvent& event);
  // The event will not come.
  void Forget();

  // Starts the thread. The server must have been started.
  void Serve();

  // To be called ten times a second or so. gRPC reads and parses what connections send on this very thread, and some
  // can make that take seconds. Then another thread sees to the others until it is over. It is not there before: two
  // threads at one queue cost every call a twentieth.
  void Relieve();

  // Waits for the events that have begun, then ends the threads. The server must have been shut down. Later calls do
  // nothing.
  void Shutdown();

 private:
  using Clock = std::chrono::steady_clock;

  void Run(void* tag, bool ok);
  void RunEvents();
  // Whether the thread has been at work for a while, and nothing came of it.
  bool IsHeldUp();
  // What the second thread does.
  void RunReliefEvents();

  std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  // Events that have begun and not ended. gRPC aborts when something begins on a queue that has been shut down, so that
  // waits for these.
  std::atomic<int> open_events_ = 0;
  std::thread thread_;
  bool shut_down_ = false;

  std::atomic<std::uint64_t> events_ = 0;  // that the thread has seen
  // The owner's: how it stood when it looked at the thread.
  clockid_t thread_clock_ = CLOCK_THREAD_CPUTIME_ID;
  std::uint64_t events_before_ = 0;
  std::chrono::nanoseconds work_before_{0};
  Clock::time_point looked_at_{};

  std::thread relief_;
  std::atomic<bool> relieved_ = false;
  std::atomic<Clock::time_point> relief_end_{};
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_COMPLETION_QUEUE_H_
