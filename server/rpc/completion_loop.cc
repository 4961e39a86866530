#include "server/rpc/completion_loop.h"

namespace kibitz::server {

void CompletionLoop::AddThread() { threads_.emplace_back(&CompletionLoop::RunEvents, this); }

void* CompletionLoop::Begin(Event& event) {
  open_events_.fetch_add(1);
  return &event;
}

void CompletionLoop::Forget() {
  if (open_events_.fetch_sub(1) == 1) open_events_.notify_all();
}

void CompletionLoop::RunEvents() {
  void* tag;
  bool ok;
  while (queue_->Next(&tag, &ok)) {
    static_cast<Event*>(tag)->Done(ok);
    // Not before: what Done begins must be counted first.
    Forget();
  }
}

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
  for (int open; (open = open_events_.load()) > 0;) open_events_.wait(open);
  queue_->Shutdown();
  for (std::thread& thread : threads_) thread.join();
  // A loop that never had a thread still has to see that its queue is empty.
  RunEvents();
}

}  // namespace kibitz::server
