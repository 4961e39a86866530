#include "server/rpc/completion_queue.h"

namespace kibitz::server {

void CompletionQueue::AddThread() { threads_.emplace_back(&CompletionQueue::RunEvents, this); }

void* CompletionQueue::Begin(QueueEvent& event) {
  open_events_.fetch_add(1);
  return &event;
}

void CompletionQueue::Forget() {
  if (open_events_.fetch_sub(1) == 1) open_events_.notify_all();
}

void CompletionQueue::RunEvents() {
  void* tag;
  bool ok;
  while (queue_->Next(&tag, &ok)) {
    static_cast<QueueEvent*>(tag)->Done(ok);
    // Not before: what Done begins must be counted first.
    Forget();
  }
}

void CompletionQueue::Shutdown() {
  if (shut_down_) return;
  shut_down_ = true;
  for (int open; (open = open_events_.load()) > 0;) open_events_.wait(open);
  queue_->Shutdown();
  for (std::thread& thread : threads_) thread.join();
  // A queue that never had a thread still has to be seen to be empty.
  RunEvents();
}

}  // namespace kibitz::server
