#include "server/scheduler.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "server/grpc_status.h"

namespace kibitz::server {
namespace {

constexpr absl::Duration kRetryDelay = absl::Seconds(2);

}  // namespace

Scheduler::Scheduler(int permits, int max_queue) : permits_(permits), max_queue_(max_queue), free_permits_(permits) {
  // One thread for each permit: a task holds at least one.
  for (int i = 0; i < permits_; ++i) workers_.emplace_back(&Scheduler::Work, this);
}

Scheduler::~Scheduler() { Shutdown(); }

void Scheduler::Submit(const std::shared_ptr<Task>& task) {
  if (absl::Status taken = Enqueue(task); !taken.ok()) task->Drop(taken);
}

absl::Status Scheduler::Enqueue(const std::shared_ptr<Task>& task) {
  std::lock_guard lock(mutex_);
  if (shutting_down_) return StatusOf(StopCause::kShutdown);
  // Stop sets the signal before it looks into the queue, so one of the two sees the other.
  if (const StopCause cause = task->stop_signal().cause(); cause != StopCause::kNone) return StatusOf(cause);
  queue_.push_back(task);
  Dispatch();
  if (queue_.empty()) return absl::OkStatus();
  const int place = static_cast<int>(queue_.size());
  if (place > max_queue_) {
    queue_.pop_back();
    return Exhausted("QUEUE_FULL", absl::StrCat("all workers are busy and ", max_queue_, " requests wait"),
                     kRetryDelay);
  }
  task->OnQueued(place);
  return absl::OkStatus();
}

void Scheduler::Stop(const std::shared_ptr<Task>& task, StopCause cause) {
  task->stop_signal().Stop(cause);
  {
    std::lock_guard lock(mutex_);
    const auto place = std::find(queue_.begin(), queue_.end(), task);
    if (place == queue_.end()) return;
    queue_.erase(place);
    // A task that needs many permits may have held up others behind it.
    Dispatch();
  }
  task->Drop(StatusOf(cause));
}

void Scheduler::Shutdown() {
  std::deque<std::shared_ptr<Task>> dropped;
  {
    std::lock_guard lock(mutex_);
    shutting_down_ = true;
    dropped.swap(queue_);
    for (const auto& task : running_) task->stop_signal().Stop(StopCause::kShutdown);
    changed_.notify_all();
  }
  for (const auto& task : dropped) task->Drop(StatusOf(StopCause::kShutdown));
  std::call_once(joined_, [&] {
    for (std::thread& worker : workers_) worker.join();
  });
}

Scheduler::Load Scheduler::load() const {
  std::lock_guard lock(mutex_);
  return {.running = static_cast<int>(running_.size()), .queued = static_cast<int>(queue_.size())};
}

void Scheduler::Dispatch() {
  while (!queue_.empty() && free_permits_ >= std::max(1, queue_.front()->threads())) {
    const int wanted = queue_.front()->threads();
    const int threads = wanted == 0 ? free_permits_ : wanted;
    free_permits_ -= threads;
    running_.insert(queue_.front());
    granted_.push_back({std::move(queue_.front()), threads});
    queue_.pop_front();
    changed_.notify_one();
  }
}

void Scheduler::Work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return shutting_down_ || !granted_.empty(); });
    if (granted_.empty()) return;
    const Grant grant = std::move(granted_.front());
    granted_.pop_front();
    lock.unlock();
    grant.task->Run(grant.threads);
    lock.lock();
    running_.erase(grant.task);
    free_permits_ += grant.threads;
    Dispatch();
  }
}

}  // namespace kibitz::server
