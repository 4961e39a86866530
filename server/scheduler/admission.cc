#include "server/scheduler/admission.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "server/errors/errors.h"

namespace kibitz::server {
namespace {

constexpr absl::Duration kRetryDelay = absl::Seconds(2);

// A bound for batch work: what was asked for, or three quarters of all, but one at least, or else it never ran.
int BatchBound(int asked, int all) {
  return asked > 0 ? std::min(asked, all) : std::min(all, std::max(1, all * 3 / 4));
}

}  // namespace

Admission::Admission(const SchedulerBounds& bounds)
    : bounds_(bounds),
      shares_{Share{.max_workers = bounds.max_workers, .max_queue = bounds.max_queue},
              Share{.max_workers = BatchBound(bounds.max_batch_workers, bounds.max_workers),
                    .max_queue = BatchBound(bounds.max_batch_queue, bounds.max_queue)}} {}

void Admission::Enqueue(Tasks& task) {
  Task& entering = *task.front();
  entering.stage_ = Task::Stage::kQueued;
  entering.node_ = task.begin();
  entering.arrival_ = ++arrivals_;
  Tasks& queue = ShareOf(entering).queue;
  queue.splice(queue.end(), task);
}

Tasks Admission::Dequeue(Task& task) {
  Tasks leaving;
  leaving.splice(leaving.end(), ShareOf(task).queue, task.node_);
  task.stage_ = Task::Stage::kOutside;
  return leaving;
}

Tasks Admission::DequeueAll() {
  Tasks leaving;
  for (Share& share : shares_) leaving.splice(leaving.end(), share.queue);
  for (const auto& task : leaving) task->stage_ = Task::Stage::kOutside;
  return leaving;
}

absl::Status Admission::CheckQueue(const Task& last) const {
  const int bound = queued() > bounds_.max_queue ? bounds_.max_queue : ShareOf(last).max_queue;
  if (queued() <= bounds_.max_queue && QueuedLike(last) <= bound) return absl::OkStatus();
  return Exhausted("QUEUE_FULL", absl::StrCat("all workers are busy and ", bound, " requests wait"), kRetryDelay);
}

int Admission::QueuedLike(const Task& task) const { return static_cast<int>(ShareOf(task).queue.size()); }

int Admission::queued() const {
  std::size_t queued = 0;
  for (const Share& share : shares_) queued += share.queue.size();
  return static_cast<int>(queued);
}

Task* Admission::Next() const {
  Task* const interactive = First(Priority::kInteractive);
  Task* batch = First(Priority::kBatch);
  if (batch != nullptr && !FitsShare(*batch)) batch = nullptr;
  const bool batch_first = batch != nullptr && (interactive == nullptr || batch->arrival_ < interactive->arrival_);
  if (batch_first && Fits(*batch)) return batch;
  // Nobody passes an interactive task that waits for many workers: it might wait for ever.
  return interactive != nullptr && Fits(*interactive) ? interactive : nullptr;
}

Task* Admission::First(Priority priority) const {
  const Tasks& queue = shares_[static_cast<std::size_t>(priority)].queue;
  return queue.empty() ? nullptr : queue.front().get();
}

bool Admission::FitsShare(const Task& task) const {
  return ShareOf(task).workers + WorkersFor(task) <= ShareOf(task).max_workers;
}

bool Admission::Fits(const Task& task) const {
  int workers = WorkersFor(task);
  for (const Share& share : shares_) workers += share.workers;
  return workers <= bounds_.max_workers;
}

int Admission::WorkersFor(const Task& task) const { return std::min(task.threads(), ShareOf(task).max_workers); }

void Admission::TakeWorkers(const Task& task) { ShareOf(task).workers += task.workers_; }

void Admission::GiveBackWorkers(const Task& task) { ShareOf(task).workers -= task.workers_; }

}  // namespace kibitz::server
