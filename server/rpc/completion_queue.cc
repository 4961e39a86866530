#include "server/rpc/completion_queue.h"

#include <pthread.h>

#include <system_error>

#include "spdlog/spdlog.h"

namespace kibitz::server {
namespace {

// So much work without an event, within so much time, is too much: what an event takes is counted in microseconds. An
// idle thread works a little too, for pings and the like.
constexpr std::chrono::milliseconds kHeldUpWork{20};
constexpr std::chrono::seconds kHeldUpTime{1};
// How long the second thread stays after the first was last seen to be held up.
constexpr std::chrono::seconds kReliefTime{1};
constexpr std::chrono::milliseconds kReliefPause{100};

std::chrono::nanoseconds Read(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

void CompletionQueue::Serve() {
  thread_ = std::thread(&CompletionQueue::RunEvents, this);
  pthread_getcpuclockid(thread_.native_handle(), &thread_clock_);
}

void* CompletionQueue::Begin(QueueEvent& event) {
  open_events_.fetch_add(1);
  return &event;
}

void CompletionQueue::Forget() {
  if (open_events_.fetch_sub(1) == 1) open_events_.notify_all();
}

void CompletionQueue::Run(void* tag, bool ok) {
  static_cast<QueueEvent*>(tag)->Done(ok);
  // Not before: what Done begins must be counted first.
  Forget();
}

void CompletionQueue::RunEvents() {
  void* tag;
  bool ok;
  while (queue_->Next(&tag, &ok)) {
    // Nobody else writes it.
    events_.store(events_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    Run(tag, ok);
  }
}

void CompletionQueue::Relieve() {
  if (!thread_.joinable() || !IsHeldUp()) return;
  relief_end_ = Clock::now() + kReliefTime;
  if (relieved_) return;
  if (relief_.joinable()) relief_.join();
  relieved_ = true;
  try {
    relief_ = std::thread(&CompletionQueue::RunReliefEvents, this);
  } catch (const std::system_error& error) {
    relieved_ = false;
    spdlog::warn("no thread to be had beside one that is held up: {}", error.what());
  }
}

bool CompletionQueue::IsHeldUp() {
  const std::uint64_t events = events_.load(std::memory_order_relaxed);
  const std::chrono::nanoseconds work = Read(thread_clock_);
  const Clock::time_point now = Clock::now();
  if (events == events_before_ && work - work_before_ >= kHeldUpWork) return true;
  if (events != events_before_ || now - looked_at_ > kHeldUpTime) {
    events_before_ = events;
    work_before_ = work;
    looked_at_ = now;
  }
  return false;
}

void CompletionQueue::RunReliefEvents() {
  void* tag;
  bool ok;
  while (Clock::now() < relief_end_.load()) {
    switch (queue_->AsyncNext(&tag, &ok, std::chrono::system_clock::now() + kReliefPause)) {
      case grpc::CompletionQueue::GOT_EVENT:
        Run(tag, ok);
        break;
      case grpc::CompletionQueue::TIMEOUT:
        break;
      case grpc::CompletionQueue::SHUTDOWN:
        return;
    }
  }
  relieved_ = false;
}

void CompletionQueue::Shutdown() {
  if (shut_down_) return;
  shut_down_ = true;
  for (int open; (open = open_events_.load()) > 0;) open_events_.wait(open);
  queue_->Shutdown();
  for (std::thread* thread : {&thread_, &relief_}) {
    if (thread->joinable()) thread->join();
  }
  // A queue that never had a thread still has to be seen to be empty.
  RunEvents();
}

}  // namespace kibitz::server
