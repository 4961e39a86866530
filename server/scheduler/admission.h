// Who may begin: the queue, and how many workers are taken.

#ifndef KIBITZ_SERVER_SCHEDULER_ADMISSION_H_
#define KIBITZ_SERVER_SCHEDULER_ADMISSION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "server/scheduler/account.h"
#include "server/scheduler/bounds.h"
#include "server/scheduler/end_times.h"
#include "server/scheduler/task.h"

namespace kibitz::server {

// The next to begin is of the tenant that has the fewest workers for its share; of several such, they have their turns.
// Of one tenant it is first come, first served; but batch work has a part of the workers and of the queue only, so that
// there is room for somebody who sits and waits, and a batch task that waits for its part holds up nobody else.
//
// Where there are tenants none of them can have it all: it may take as many workers, and places in the queue, as it
// leaves free, and for batch work half as many. Alone it thus comes to half of all, two come to a third each, and
// whoever comes next finds room. A tenant that has none may always have what is left.
//
// Its owner's lock guards it.
class Admission {
 private:
  using Accounts = std::map<std::string, Account>;

 public:
  explicit Admission(const SchedulerBounds& bounds);

  // The account of a tenant; nullptr when it has none yet. Accounts stay for good: their names come from the
  // operator's list.
  Account* Find(const std::string& tenant);
  // A new account takes memory, which is to be had without the lock. Add gives the one that there is: another may have
  // been added first.
  using NewAccount = Accounts::node_type;
  static NewAccount MakeAccount(const std::string& tenant);
  Account& Add(NewAccount account);

  // Takes a task, the only one in `task`, into the queue, even if that is full then.
  void Enqueue(Tasks& task, Account& account);
  // Takes a task out of the queue.
  Tasks Dequeue(Task& task);
  // Takes out all.
  Tasks DequeueAll();

  // Whether more tasks wait than may, by this one, which was the last to come, or it cannot begin before its deadline.
  // Who is told to come back after a time finds room then, unless others were faster.
  absl::Status CheckQueue(Task& last);
  // How many of a task's tenant and priority wait.
  int QueuedLike(const Task& task) const;
  int queued() const;
  // Calls back with the account of each tenant.
  template <typename Visit>
  void ForEachAccount(const Visit& visit) const {
    for (const auto& [tenant, account] : accounts_) visit(account);
  }

  // The next task to begin; nullptr: nobody waits, or there are no workers left for it.
  Task* Next() const;
  // How many workers a task may have: what it wants, but no more than all.
  int WorkersFor(const Task& task) const;
  // Counts the workers that a task was given, and those that it gives back.
  void TakeWorkers(Task& task);
  void GiveBackWorkers(Task& task);

 private:
  // What one priority has.
  struct Part {
    int max_workers;
    int max_queue;
    int workers = 0;
    int queued = 0;
  };

  Part& PartOf(const Task& task) { return parts_[Index(task.priority())]; }
  const Part& PartOf(const Task& task) const { return parts_[Index(task.priority())]; }
  static std::size_t Index(Priority priority) { return static_cast<std::size_t>(priority); }
  void CountLive(const Task& task, int workers, int live);
  absl::Status CheckRoom(Task& last);
  absl::Status CheckDeadline(const Task& last) const;
  // By when it leaves at the latest, where it is counted.
  void SetEnd(Task& task, EndTimes::Time latest);
  void RemoveEnd(Task& task);
  // After which time there is room for a task that has to leave again.
  absl::Duration RetryAfter(Task& task, EndTimes& ends);

  // The next of a tenant, if the tenant's own bounds let it begin; nullptr otherwise. Batch work must fit in all.
  Task* NextOf(const Account& account) const;
  // The first of a priority that waits, or nullptr.
  static Task* First(const Account& account, Priority priority);
  // Whether there are workers left for a task: by the bounds of its tenant, of its priority, and in all.
  bool FitsTenant(const Task& task) const;
  bool FitsPart(const Task& task) const;
  bool Fits(const Task& task) const;
  int FreeWorkers() const;

  const SchedulerBounds bounds_;
  std::array<Part, 2> parts_;  // by priority
  Accounts accounts_;
  EndTimes ends_;
  std::list<Account*> waiting_;  // those of them with tasks in the queue
  std::list<Account*> resting_;  // the others
  std::uint64_t arrivals_ = 0;
  std::uint64_t turns_ = 0;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SCHEDULER_ADMISSION_H_
