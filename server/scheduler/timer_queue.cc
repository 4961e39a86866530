#include "server/scheduler/timer_queue.h"

#include <algorithm>
#include <exception>

#include "spdlog/spdlog.h"

namespace kibitz::server {
namespace {

// A wait without end is cut into pieces that no clock overflows.
constexpr std::chrono::hours kLongestWait{1};

void Call(const std::function<void()>& callback) {
  try {
    callback();
  } catch (const std::exception& error) {
    spdlog::error("a timer's callback failed: {}", error.what());
  } catch (...) {
    spdlog::error("a timer's callback failed");
  }
}

}  // namespace

// Callbacks are called and destroyed without the lock: they may set and cancel timers, and they may hold the last
// reference to what does so when it ends.

TimerQueue::Timer::Key TimerQueue::Timers::Add(Time time, std::function<void()> callback) {
  std::lock_guard lock(mutex_);
  const Timer::Key key(time, ++count_);
  if (closed_) return key;
  const auto place = callbacks_.emplace(key, std::move(callback)).first;
  if (place == callbacks_.begin()) changed_.notify_one();
  return key;
}

bool TimerQueue::Timers::Remove(Timer::Key key) {
  Callbacks::node_type removed;
  std::lock_guard lock(mutex_);
  removed = callbacks_.extract(key);
  return !removed.empty();
}

TimerQueue::Timers::Callbacks::node_type TimerQueue::Timers::AwaitNext(std::unique_lock<std::mutex>& lock) {
  while (!closed_) {
    if (callbacks_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const Time now = Clock::now();
    const Time next = callbacks_.begin()->first.first;
    if (next <= now) return callbacks_.extract(callbacks_.begin());
    changed_.wait_until(lock, std::min(next, now + kLongestWait));
  }
  return {};
}

void TimerQueue::Timers::Run() {
  std::unique_lock lock(mutex_);
  for (auto next = AwaitNext(lock); !next.empty(); next = AwaitNext(lock)) {
    lock.unlock();
    Call(next.mapped());
    next = {};
    lock.lock();
  }
}

void TimerQueue::Timers::Close() {
  Callbacks dropped;
  std::lock_guard lock(mutex_);
  closed_ = true;
  dropped.swap(callbacks_);
  changed_.notify_one();
}

bool TimerQueue::Timer::Cancel() {
  const std::shared_ptr<Timers> timers = timers_.lock();
  timers_.reset();
  return timers != nullptr && timers->Remove(key_);
}

TimerQueue::TimerQueue(const ThreadFactory& start_thread)
    : timers_(std::make_shared<Timers>()), thread_(start_thread([timers = timers_] { timers->Run(); })) {}

TimerQueue::~TimerQueue() { Shutdown(); }

TimerQueue::Timer TimerQueue::Schedule(Time time, std::function<void()> callback) {
  return {timers_, timers_->Add(time, std::move(callback))};
}

void TimerQueue::Shutdown() {
  timers_->Close();
  std::lock_guard lock(join_mutex_);
  if (thread_.joinable()) thread_.join();
}

}  // namespace kibitz::server
