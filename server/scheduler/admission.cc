#include "server/scheduler/admission.h"

#include <algorithm>
#include <optional>
#include <utility>

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

// What a quota leaves for a task's priority.
std::optional<int> QuotaFor(const Task& task, std::optional<int> all) {
  if (!all.has_value() || task.priority() == Priority::kInteractive) return all;
  return BatchBound(/*asked=*/0, *all);
}

// Whether a tenant that has so much, with what the task adds, leaves enough for others. Without a name there are none.
bool LeavesRoom(const Task& task, int has, int free) {
  return task.tenant().name.empty() || has <= (task.priority() == Priority::kBatch ? free / 2 : free);
}

// Whether a tenant comes before another: by what it has for its share, and then by turns.
bool ComesBefore(const Account& one, const Account& other) {
  const std::int64_t has = std::int64_t{one.workers} * other.quota.share;
  const std::int64_t other_has = std::int64_t{other.workers} * one.quota.share;
  return has != other_has ? has < other_has : one.last_turn < other.last_turn;
}

}  // namespace

Admission::Admission(const SchedulerBounds& bounds)
    : bounds_(bounds),
      parts_{Part{.max_workers = bounds.max_workers, .max_queue = bounds.max_queue},
             Part{.max_workers = BatchBound(bounds.max_batch_workers, bounds.max_workers),
                  .max_queue = BatchBound(bounds.max_batch_queue, bounds.max_queue)}} {}

Account* Admission::Find(const std::string& tenant) {
  const auto found = accounts_.find(tenant);
  return found == accounts_.end() ? nullptr : &found->second;
}

Admission::NewAccount Admission::MakeAccount(const std::string& tenant) {
  Accounts accounts;
  return accounts.extract(accounts.try_emplace(tenant, tenant).first);
}

Account& Admission::Add(NewAccount account) {
  const auto added = accounts_.insert(std::move(account));
  Account& found = added.position->second;
  if (added.inserted) resting_.splice(resting_.end(), found.list);
  return found;
}

void Admission::Enqueue(Tasks& task, Account& account) {
  Task& entering = *task.front();
  entering.stage_ = Task::Stage::kQueued;
  entering.node_ = task.begin();
  entering.arrival_ = ++arrivals_;
  entering.account_ = &account;
  account.quota = entering.tenant().quota;
  if (account.queued() == 0) waiting_.splice(waiting_.end(), resting_, account.place);
  Tasks& queue = account.queues[Index(entering.priority())];
  queue.splice(queue.end(), task);
  ++PartOf(entering).queued;
}

Tasks Admission::Dequeue(Task& task) {
  Account& account = *task.account_;
  Tasks leaving;
  leaving.splice(leaving.end(), account.queues[Index(task.priority())], task.node_);
  if (account.queued() == 0) resting_.splice(resting_.end(), waiting_, account.place);
  --PartOf(task).queued;
  task.stage_ = Task::Stage::kOutside;
  return leaving;
}

Tasks Admission::DequeueAll() {
  Tasks leaving;
  while (!waiting_.empty()) {
    for (const Tasks& queue : waiting_.front()->queues) {
      if (queue.empty()) continue;
      leaving.splice(leaving.end(), Dequeue(*queue.front()));
      break;
    }
  }
  return leaving;
}

absl::Status Admission::CheckQueue(const Task& last) const {
  const int bound = queued() > bounds_.max_queue ? bounds_.max_queue : PartOf(last).max_queue;
  if (queued() > bounds_.max_queue || PartOf(last).queued > bound) {
    return Exhausted("QUEUE_FULL", absl::StrCat("all workers are busy and ", bound, " requests wait"), kRetryDelay);
  }
  const Account& account = *last.account_;
  const int own = account.queued();
  const std::optional<int> quota = QuotaFor(last, account.quota.max_queued);
  if (quota.has_value() && own > *quota) {
    return QuotaExceeded("QUEUE_QUOTA", absl::StrCat("tenant:", account.tenant),
                         absl::StrCat("this tenant may have ", *quota, " requests wait"), kRetryDelay);
  }
  if (own > 1 && !LeavesRoom(last, own, bounds_.max_queue - queued())) {
    return Exhausted("QUEUE_FULL",
                     absl::StrCat(own - 1, " requests of this tenant wait, and the rest of the queue is for others"),
                     kRetryDelay);
  }
  return absl::OkStatus();
}

int Admission::QueuedLike(const Task& task) const {
  return static_cast<int>(task.account_->queues[Index(task.priority())].size());
}

int Admission::queued() const { return parts_[0].queued + parts_[1].queued; }

Task* Admission::Next() const {
  Task* next = nullptr;
  for (const Account* account : waiting_) {
    Task* const task = NextOf(*account);
    if (task == nullptr) continue;
    if (next == nullptr || ComesBefore(*account, *next->account_)) next = task;
  }
  // Nobody passes a task that waits for many workers: it might wait for ever.
  return next != nullptr && Fits(*next) ? next : nullptr;
}

Task* Admission::NextOf(const Account& account) const {
  Task* const interactive = First(account, Priority::kInteractive);
  Task* const batch = First(account, Priority::kBatch);
  const bool batch_first = batch != nullptr && (interactive == nullptr || batch->arrival_ < interactive->arrival_);
  if (batch_first && FitsTenant(*batch) && FitsPart(*batch) && Fits(*batch)) return batch;
  return interactive != nullptr && FitsTenant(*interactive) ? interactive : nullptr;
}

Task* Admission::First(const Account& account, Priority priority) {
  const Tasks& queue = account.queues[Index(priority)];
  return queue.empty() ? nullptr : queue.front().get();
}

bool Admission::FitsTenant(const Task& task) const {
  const Account& account = *task.account_;
  const int live = account.live[0] + account.live[1];
  if (const std::optional<int> quota = QuotaFor(task, account.quota.max_live); quota.has_value() && live >= *quota) {
    return false;
  }
  const int workers = WorkersFor(task);
  return account.workers == 0 || LeavesRoom(task, account.workers + workers, FreeWorkers() - workers);
}

bool Admission::FitsPart(const Task& task) const {
  return PartOf(task).workers + WorkersFor(task) <= PartOf(task).max_workers;
}

bool Admission::Fits(const Task& task) const { return WorkersFor(task) <= FreeWorkers(); }

int Admission::FreeWorkers() const { return bounds_.max_workers - parts_[0].workers - parts_[1].workers; }

int Admission::WorkersFor(const Task& task) const { return std::min(task.threads(), PartOf(task).max_workers); }

void Admission::TakeWorkers(const Task& task) {
  CountLive(task, task.workers_, 1);
  task.account_->last_turn = ++turns_;
}

void Admission::GiveBackWorkers(const Task& task) { CountLive(task, -task.workers_, -1); }

void Admission::CountLive(const Task& task, int workers, int live) {
  PartOf(task).workers += workers;
  task.account_->workers += workers;
  task.account_->live[Index(task.priority())] += live;
}

}  // namespace kibitz::server
