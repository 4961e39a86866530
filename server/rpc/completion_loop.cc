#include "server/rpc/completion_loop.h"

namespace kibitz::server {
namespace {

void RunEvents(grpc::CompletionQueue* queue) {
  void* tag;
  bool ok;
  while (queue->Next(&tag, &ok)) static_cast<Event*>(tag)->Done(ok);
}

}  // namespace

void CompletionLoop::AddThread() { threads_.emplace_back(RunEvents, queue_.get()); }

void CompletionLoop::AwaitStreams(std::chrono::system_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  no_streams_.wait_until(lock, deadline, [&] { return streams_ == 0; });
}

void CompletionLoop::CountStream(int change) {
  std::lock_guard lock(mutex_);
  streams_ += change;
  if (streams_ == 0) no_streams_.notify_all();
}

void CompletionLoop::Shutdown() {
  if (shut_down_) return;
  shut_down_ = true;
  queue_->Shutdown();
  for (std::thread& thread : threads_) thread.join();
  // What was still on its way, for a loop that never had a thread.
  RunEvents(queue_.get());
}

}  // namespace kibitz::server
