// Who may begin: the queue, and how many workers are taken.

#ifndef KIBITZ_SERVER_SCHEDULER_ADMISSION_H_
#define KIBITZ_SERVER_SCHEDULER_ADMISSION_H_

#include <array>
#include <cstdint>

#include "absl/status/status.h"
#include "server/scheduler/bounds.h"
#include "server/scheduler/task.h"

namespace kibitz::server {

// First come, first served; but batch work has a part of the workers and of the queue only, so that there is room for
// somebody who sits and waits, and a batch task that waits for its part holds up nobody else. Its owner's lock guards
// it.
class Admission {
 public:
  explicit Admission(const SchedulerBounds& bounds);

  // Takes a task, the only one in `task`, into the queue, even if that is full then.
  void Enqueue(Tasks& task);
  // Takes a task out of the queue.
  Tasks Dequeue(Task& task);
  // Takes out all.
  Tasks DequeueAll();

  // Whether more tasks wait than may, by this one, which was the last to come.
  absl::Status CheckQueue(const Task& last) const;
  // How many of a task's priority wait.
  int QueuedLike(const Task& task) const;
  int queued() const;

  // The next task to begin; nullptr: nobody waits, or there are no workers left for it.
  Task* Next() const;
  // How many workers a task may have: what it wants, but no more than all.
  int WorkersFor(const Task& task) const;
  // Counts the workers that a task was given, and those that it gives back.
  void TakeWorkers(const Task& task);
  void GiveBackWorkers(const Task& task);

 private:
  // What one priority has.
  struct Share {
    int max_workers;
    int max_queue;
    int workers = 0;
    Tasks queue{};
  };

  Share& ShareOf(const Task& task) { return shares_[static_cast<std::size_t>(task.priority())]; }
  const Share& ShareOf(const Task& task) const { return shares_[static_cast<std::size_t>(task.priority())]; }
  // The first of a priority that waits, or nullptr.
  Task* First(Priority priority) const;
  // Whether there are workers left for a task: for its priority, and in all.
  bool FitsShare(const Task& task) const;
  bool Fits(const Task& task) const;

  const SchedulerBounds bounds_;
  std::array<Share, 2> shares_;  // by priority
  std::uint64_t arrivals_ = 0;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SCHEDULER_ADMISSION_H_
