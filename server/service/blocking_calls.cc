#include "server/service/blocking_calls.h"

#include <exception>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "server/errors/errors.h"
#include "server/scheduler/stop_signal.h"
#include "spdlog/spdlog.h"

namespace kibitz::server {
namespace {

constexpr absl::Duration kRetryDelay = absl::Seconds(1);

}  // namespace

BlockingCalls::BlockingCalls(int threads, std::size_t max_waiting) : max_waiting_(max_waiting) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back(&BlockingCalls::Run, this);
}

BlockingCalls::~BlockingCalls() { Shutdown(); }

absl::Status BlockingCalls::Post(std::function<void()> work) {
  std::lock_guard lock(mutex_);
  if (ending_) return StatusOf(StopCause::kShutdown);
  if (waiting_.size() >= max_waiting_) {
    return Exhausted("QUEUE_FULL", absl::StrCat(max_waiting_, " calls about jobs wait already"), kRetryDelay);
  }
  waiting_.push_back(std::move(work));
  changed_.notify_one();
  return absl::OkStatus();
}

void BlockingCalls::Shutdown() {
  std::vector<std::thread> threads;
  {
    std::lock_guard lock(mutex_);
    ending_ = true;
    threads.swap(threads_);
  }
  changed_.notify_all();
  for (std::thread& thread : threads) thread.join();
}

void BlockingCalls::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    std::function<void()> work = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    try {
      work();
    } catch (const std::exception& error) {
      spdlog::error("a call about jobs failed: {}", error.what());
    }
    // What it holds on to is let go of without the lock.
    work = nullptr;
    lock.lock();
  }
}

}  // namespace kibitz::server
