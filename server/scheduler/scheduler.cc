#include "server/scheduler/scheduler.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "server/grpc_status.h"

namespace kibitz::server {
namespace {

constexpr absl::Duration kRetryDelay = absl::Seconds(2);

// A thread that had nothing to do for so long ends and gives its memory back.
constexpr std::chrono::seconds kIdleTime{10};

}  // namespace

Scheduler::Scheduler(const Bounds& bounds) : bounds_(bounds), permits_(bounds.permits) {}

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
  if (place > bounds_.max_queue) {
    queue_.pop_back();
    return Exhausted("QUEUE_FULL", absl::StrCat("all workers are busy and ", bounds_.max_queue, " requests wait"),
                     kRetryDelay);
  }
  task->OnQueued(place);
  return absl::OkStatus();
}

void Scheduler::Stop(const std::shared_ptr<Task>& task, StopCause cause) {
  task->stop_signal().Stop(cause);
  {
    std::lock_guard lock(mutex_);
    if (const auto live = live_.find(task.get()); live != live_.end()) {
      for (Turn* turn : live->second.turns) turn->Excuse();
    }
    const auto place = std::find(queue_.begin(), queue_.end(), task);
    if (place == queue_.end()) return;
    queue_.erase(place);
    // A task that wants many workers may have held up others behind it.
    Dispatch();
  }
  task->Drop(StatusOf(cause));
}

void Scheduler::LookAgain(const std::shared_ptr<Task>& task) {
  std::lock_guard lock(mutex_);
  const auto live = live_.find(task.get());
  if (live == live_.end()) return;
  for (Turn* turn : live->second.turns) turn->LookAgain();
}

void Scheduler::Shutdown() {
  std::deque<std::shared_ptr<Task>> dropped;
  {
    std::lock_guard lock(mutex_);
    shutting_down_ = true;
    dropped.swap(queue_);
    for (auto& [task, live] : live_) {
      task->stop_signal().Stop(StopCause::kShutdown);
      for (Turn* turn : live.turns) turn->Excuse();
    }
    jobs_changed_.notify_all();
  }
  for (const auto& task : dropped) task->Drop(StatusOf(StopCause::kShutdown));
  // Whoever comes first joins; the others wait here for it.
  std::unique_lock lock(mutex_);
  jobs_changed_.wait(lock, [&] { return threads_.empty(); });
  for (std::thread& thread : std::exchange(ended_threads_, {})) thread.join();
}

Scheduler::Load Scheduler::load() const {
  std::lock_guard lock(mutex_);
  return {.live = static_cast<int>(live_.size()), .queued = static_cast<int>(queue_.size())};
}

void Scheduler::Dispatch() {
  while (!queue_.empty() && workers_used_ + queue_.front()->threads() <= bounds_.max_workers) {
    const std::shared_ptr<Task> task = std::move(queue_.front());
    queue_.pop_front();
    workers_used_ += task->threads();
    live_.emplace(task.get(), Live{.workers_left = task->threads(), .turns = {}});
    for (int worker = 0; worker < task->threads(); ++worker) jobs_.push_back({task, worker});
  }
  AddThreads();
}

void Scheduler::AddThreads() {
  for (std::thread& thread : std::exchange(ended_threads_, {})) thread.join();
  for (std::size_t waked = 0; waked < jobs_.size(); ++waked) jobs_changed_.notify_one();
  for (; idle_threads_ < static_cast<int>(jobs_.size()); ++idle_threads_) {
    const auto self = threads_.emplace(threads_.end());
    *self = std::thread(&Scheduler::Work, this, self);
  }
}

void Scheduler::Work(Threads::iterator self) {
  std::unique_ptr<SearchMemory> memory;
  std::unique_lock lock(mutex_);
  while (AwaitJob(lock)) {
    const Job job = std::move(jobs_.front());
    jobs_.pop_front();
    --idle_threads_;
    lock.unlock();
    Do(job, memory);
    lock.lock();
    ++idle_threads_;
  }
  --idle_threads_;
  ended_threads_.splice(ended_threads_.end(), threads_, self);
  if (shutting_down_) jobs_changed_.notify_all();
}

bool Scheduler::AwaitJob(std::unique_lock<std::mutex>& lock) {
  jobs_changed_.wait_for(lock, kIdleTime, [&] { return shutting_down_ || !jobs_.empty(); });
  return !jobs_.empty();
}

void Scheduler::Do(const Job& job, std::unique_ptr<SearchMemory>& memory) {
  Task& task = *job.task;
  bool last = false;
  {
    Turn turn(permits_, task.priority());
    {
      std::lock_guard lock(mutex_);
      Live& live = live_.at(&task);
      live.turns.push_back(&turn);
      if (live.excused || task.stop_signal().flag()) turn.Excuse();
    }
    turn.Begin();
    Worker worker(memory, turn);
    if (job.worker == 0) {
      task.Run(worker);
    } else {
      task.Help(job.worker, worker);
    }
    std::lock_guard lock(mutex_);
    Live& live = live_.at(&task);
    std::erase(live.turns, &turn);
    if (job.worker == 0 && !task.OutlivesRun()) {
      live.excused = true;
      for (Turn* helper : live.turns) helper->Excuse();
    }
    last = --live.workers_left == 0;
  }
  if (!last) return;
  task.End();
  std::lock_guard lock(mutex_);
  live_.erase(&task);
  workers_used_ -= task.threads();
  Dispatch();
}

}  // namespace kibitz::server
