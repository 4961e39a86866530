#include "server/scheduler/scheduler.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "absl/time/time.h"
#include "server/errors/errors.h"
#include "server/scheduler/failure.h"
#include "spdlog/spdlog.h"

namespace kibitz::server {
namespace {

constexpr absl::Duration kThreadRetryDelay = absl::Seconds(2);

// A thread that had nothing to do for so long ends and gives its memory back.
constexpr std::chrono::seconds kIdleTime{10};

// The last that a task hears. It cannot be told of a failure in this.
void Drop(Task& task, const absl::Status& why) {
  try {
    task.Drop(why);
  } catch (...) {
    HandledFailure().IgnoreError();
  }
}

}  // namespace

Scheduler::Scheduler(const Bounds& bounds, ThreadFactory start_thread)
    : start_thread_(std::move(start_thread)), permits_(bounds.permits), admission_(bounds) {}

Scheduler::~Scheduler() { Shutdown(); }

void Scheduler::Submit(const std::shared_ptr<Task>& task) {
  absl::Status taken;
  try {
    taken = Enqueue(task);
  } catch (...) {
    taken = HandledFailure();
  }
  if (!taken.ok()) Drop(*task, taken);
}

Account& Scheduler::AccountOf(const Tenant& tenant) {
  {
    std::lock_guard lock(mutex_);
    if (Account* const known = admission_.Find(tenant.name)) return *known;
  }
  Admission::NewAccount made = Admission::MakeAccount(tenant.name);
  std::lock_guard lock(mutex_);
  return admission_.Add(std::move(made));
}

absl::Status Scheduler::Enqueue(const std::shared_ptr<Task>& task) {
  // All the memory that a task will need here, before anything is changed.
  Tasks node{task};
  task->permits_.reserve(static_cast<std::size_t>(task->threads()));
  task->submitted_ = std::chrono::steady_clock::now();
  Account& account = AccountOf(task->tenant());
  permits_.SetWeight(account.permits, task->tenant().quota.share);
  std::lock_guard lock(mutex_);
  if (shutting_down_) return StatusOf(StopCause::kShutdown);
  // Stop sets the signal before it looks at the stage, so one of the two sees the other.
  if (const StopCause cause = task->stop_signal().cause(); cause != StopCause::kNone) return StatusOf(cause);
  admission_.Enqueue(node, account);
  Dispatch();
  if (task->stage_ != Task::Stage::kQueued) return absl::OkStatus();
  absl::Status kept;
  try {
    kept = KeepQueued(*task);
  } catch (...) {
    kept = HandledFailure();
  }
  if (!kept.ok()) node = admission_.Dequeue(*task);
  return kept;
}

absl::Status Scheduler::KeepQueued(Task& task) {
  if (threads_.empty()) {
    return Exhausted("THREADS_EXHAUSTED", "there are no threads left for this now", kThreadRetryDelay);
  }
  const absl::Status room = admission_.CheckQueue(task);
  if (room.ok()) task.OnQueued(admission_.QueuedLike(task));
  return room;
}

void Scheduler::Stop(const std::shared_ptr<Task>& task, StopCause cause) {
  task->stop_signal().Stop(cause);
  Tasks dropped;
  {
    std::lock_guard lock(mutex_);
    if (task->stage_ == Task::Stage::kLive) Exempt(*task);
    if (task->stage_ != Task::Stage::kQueued) return;
    dropped = admission_.Dequeue(*task);
    CountEnd(*task);
    // A task that wants many workers may have held up others behind it.
    Dispatch();
  }
  Drop(*task, StatusOf(cause));
}

void Scheduler::Recheck(const std::shared_ptr<Task>& task) {
  std::lock_guard lock(mutex_);
  for (RunPermit* permit : task->permits_) permit->Recheck();
}

void Scheduler::Shutdown() {
  Tasks dropped;
  {
    std::lock_guard lock(mutex_);
    shutting_down_ = true;
    dropped = admission_.DequeueAll();
    for (const Tasks* tasks : {&beginning_, &live_}) {
      for (const auto& task : *tasks) {
        task->stop_signal().Stop(StopCause::kShutdown);
        Exempt(*task);
      }
    }
    parts_changed_.notify_all();
  }
  for (const auto& task : dropped) Drop(*task, StatusOf(StopCause::kShutdown));
  // Whoever comes first joins; the others wait here for it.
  std::unique_lock lock(mutex_);
  parts_changed_.wait(lock, [&] { return threads_.empty(); });
  for (std::thread& thread : std::exchange(ended_threads_, {})) thread.join();
}

Scheduler::Load Scheduler::load() const {
  std::lock_guard lock(mutex_);
  return {.live = static_cast<int>(beginning_.size() + live_.size()),
          .queued = admission_.queued(),
          .threads_refused = threads_refused_};
}

Scheduler::Survey Scheduler::survey() const {
  const auto now = std::chrono::steady_clock::now();
  Survey survey;
  survey.running = permits_.held();
  const auto age = [now](const Tasks& tasks, std::chrono::nanoseconds oldest) {
    return tasks.empty() ? oldest : std::max<std::chrono::nanoseconds>(oldest, now - tasks.front()->submitted_);
  };
  std::lock_guard lock(mutex_);
  admission_.ForEachAccount([&](const Account& account) {
    const Survey::OfTenant tenant{.live = account.live[0] + account.live[1], .queued = account.queued()};
    if (tenant.live + tenant.queued > 0) survey.tenants[account.tenant] = tenant;
    // The first of each has waited longest.
    for (const Tasks& queue : account.queues) survey.oldest_queued = age(queue, survey.oldest_queued);
  });
  for (const Tasks* tasks : {&beginning_, &live_}) {
    for (const auto& task : *tasks) {
      survey.oldest_live = std::max<std::chrono::nanoseconds>(survey.oldest_live, now - task->submitted_);
    }
  }
  return survey;
}

Scheduler::History Scheduler::history() const {
  History history{
      .queue_waits = queue_waits_.counts(), .permit_waits = permits_.waits().counts(), .cancels = cancels_.counts()};
  for (std::size_t i = 0; i < stopped_.size(); ++i) history.stopped[i] = stopped_[i];
  return history;
}

void Scheduler::Dispatch() {
  for (std::thread& thread : std::exchange(ended_threads_, {})) thread.join();
  while (Task* const task = admission_.Next()) {
    const int workers = ReserveThreads(admission_.WorkersFor(*task));
    if (workers == 0) return;  // a thread that comes free will come by
    Begin(*task, workers);
  }
}

void Scheduler::Begin(Task& task, int workers) {
  Tasks node = admission_.Dequeue(task);
  beginning_.splice(beginning_.end(), node);
  task.stage_ = Task::Stage::kLive;
  task.workers_ = task.workers_left_ = workers;
  admission_.TakeWorkers(task);
  queue_waits_.Add(std::chrono::steady_clock::now() - task.submitted_);
  parts_waiting_ += workers;
  for (int i = 0; i < workers; ++i) parts_changed_.notify_one();
}

int Scheduler::ReserveThreads(int wanted) {
  int reserved = 0;
  while (reserved < wanted && (parts_waiting_ + reserved < idle_threads_ || AddThread())) ++reserved;
  return reserved;
}

bool Scheduler::AddThread() {
  try {
    Threads added(1);
    const auto self = added.begin();
    // It waits for the lock before it looks for itself.
    *self = start_thread_([this, self] { Work(self); });
    threads_.splice(threads_.end(), added);
    ++idle_threads_;
    return true;
  } catch (const std::exception& error) {
    ++threads_refused_;
    if (refusal_log_.Allow()) spdlog::warn("no thread to be had ({} times so far): {}", threads_refused_, error.what());
    return false;
  }
}

void Scheduler::Exempt(Task& task) {
  task.exempt_ = true;
  for (RunPermit* permit : task.permits_) permit->Exempt();
}

void Scheduler::Work(Threads::iterator self) {
  std::unique_lock lock(mutex_);
  while (AwaitPart(lock)) {
    Part part = TakePart();
    lock.unlock();
    const bool last = Do(part);
    lock.lock();
    Tasks ended;
    if (last) ended = Remove(*part.task);
    Dispatch();
    // A task may be large, and its end has nothing to do with the others.
    lock.unlock();
    ended.clear();
    part.task.reset();
    lock.lock();
  }
  --idle_threads_;
  ended_threads_.splice(ended_threads_.end(), threads_, self);
  if (shutting_down_) parts_changed_.notify_all();
}

bool Scheduler::AwaitPart(std::unique_lock<std::mutex>& lock) {
  parts_changed_.wait_for(lock, kIdleTime, [&] { return shutting_down_ || parts_waiting_ > 0; });
  return parts_waiting_ > 0;
}

Scheduler::Part Scheduler::TakePart() {
  Part part{beginning_.front(), beginning_.front()->workers_begun_++};
  if (part.task->workers_begun_ == part.task->workers_) {
    live_.splice(live_.end(), beginning_, part.task->node_);
  }
  --parts_waiting_;
  --idle_threads_;
  return part;
}

bool Scheduler::Do(const Part& part) {
  Task& task = *part.task;
  bool last = false;
  {
    RunPermit permit(permits_, task.account_->permits, task.priority());
    {
      std::lock_guard lock(mutex_);
      task.permits_.push_back(&permit);
      if (task.exempt_ || task.stop_signal().flag()) permit.Exempt();
    }
    try {
      permit.Acquire();
      if (part.worker == 0) {
        task.Run(permit);
      } else {
        task.Help(part.worker, permit);
      }
    } catch (...) {
      Fail(task, HandledFailure());
    }
    last = Leave(part, permit);
  }
  if (last) End(task);
  return last;
}

bool Scheduler::Leave(const Part& part, RunPermit& permit) {
  Task& task = *part.task;
  std::lock_guard lock(mutex_);
  std::erase(task.permits_, &permit);
  if (part.worker == 0 && !task.OutlivesRun()) Exempt(task);
  if (--task.workers_left_ == 0) return true;
  // From here on the thread can be counted upon.
  ++idle_threads_;
  return false;
}

void Scheduler::CountEnd(Task& task) {
  const StopCause cause = task.stop_signal().cause();
  stopped_[static_cast<std::size_t>(cause)].fetch_add(1, std::memory_order_relaxed);
  if (cause == StopCause::kCancelled) cancels_.Add(StopSignal::Clock::now() - task.stop_signal().since());
}

Tasks Scheduler::Remove(Task& task) {
  CountEnd(task);
  Tasks removed;
  removed.splice(removed.end(), live_, task.node_);
  task.stage_ = Task::Stage::kOutside;
  admission_.GiveBackWorkers(task);
  // What waits can have this very thread.
  ++idle_threads_;
  return removed;
}

void Scheduler::Fail(Task& task, const absl::Status& why) {
  task.stop_signal().Stop(StopCause::kFailed);
  std::lock_guard lock(mutex_);
  if (task.failure_.ok()) task.failure_ = why;
  Exempt(task);
}

void Scheduler::End(Task& task) {
  // All have left: nobody else looks at the failure.
  if (task.failure_.ok()) {
    try {
      return task.End();
    } catch (...) {
      task.failure_ = HandledFailure();
    }
  }
  Drop(task, task.failure_);
}

}  // namespace kibitz::server
