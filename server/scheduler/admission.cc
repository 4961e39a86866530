#include "server/scheduler/admission.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "server/errors/errors.h"

namespace kibitz::server {
namespace {

using Clock = Task::Lifetime::Clock;

// When it is not known when there will be room.
constexpr absl::Duration kRetryDelay = absl::Seconds(2);
// From a task's last moment until its place is free.
constexpr absl::Duration kEndDelay = absl::Milliseconds(200);

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
  account.backlog.Enqueue(Index(entering.priority()), entering.lifetime().shortest);
  SetEnd(entering, entering.lifetime().deadline);
}

Tasks Admission::Dequeue(Task& task) {
  Account& account = *task.account_;
  Tasks leaving;
  leaving.splice(leaving.end(), account.queues[Index(task.priority())], task.node_);
  if (account.queued() == 0) resting_.splice(resting_.end(), waiting_, account.place);
  --PartOf(task).queued;
  account.backlog.Dequeue(Index(task.priority()), task.lifetime().shortest);
  RemoveEnd(task);
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

absl::Status Admission::CheckQueue(Task& last) {
  const absl::Status in_time = CheckDeadline(last);
  return in_time.ok() ? CheckRoom(last) : in_time;
}

absl::Status Admission::CheckDeadline(const Task& last) const {
  if (last.lifetime().deadline == Clock::time_point::max()) return absl::OkStatus();
  const Account& account = *last.account_;
  const int at_a_time =
      std::min(bounds_.max_workers, std::max(1, account.quota.max_live.value_or(bounds_.max_workers)));
  const Clock::time_point now = Clock::now();
  // It waits itself by now.
  const Clock::time_point begin =
      account.backlog.EarliestBegin(now, Index(last.priority()), at_a_time) - last.lifetime().shortest / at_a_time;
  if (begin < last.lifetime().deadline) return absl::OkStatus();
  return Failure(absl::StatusCode::kDeadlineExceeded, "DEADLINE_NEAR",
                 absl::StrCat("the requests ahead of this one take ",
                              std::chrono::ceil<std::chrono::milliseconds>(begin - now).count(),
                              " ms at least, and its deadline comes before that"));
}

absl::Duration Admission::RetryAfter(Task& task, EndTimes& ends) {
  RemoveEnd(task);
  const Clock::time_point now = Clock::now();
  const std::optional<Clock::time_point> free = ends.Promise(now);
  if (!free.has_value()) return kRetryDelay;
  return absl::Ceil(absl::FromChrono(*free - now) + kEndDelay, absl::Milliseconds(1));
}

absl::Status Admission::CheckRoom(Task& last) {
  const int bound = queued() > bounds_.max_queue ? bounds_.max_queue : PartOf(last).max_queue;
  if (queued() > bounds_.max_queue || PartOf(last).queued > bound) {
    return Exhausted("QUEUE_FULL", absl::StrCat("all workers are busy and ", bound, " requests wait"),
                     RetryAfter(last, ends_));
  }
  Account& account = *last.account_;
  const int own = account.queued();
  const std::optional<int> quota = QuotaFor(last, account.quota.max_queued);
  if (quota.has_value() && own > *quota) {
    return QuotaExceeded("QUEUE_QUOTA", absl::StrCat("tenant:", account.tenant),
                         absl::StrCat("this tenant may have ", *quota, " requests wait"),
                         RetryAfter(last, account.ends));
  }
  if (own > 1 && !LeavesRoom(last, own, bounds_.max_queue - queued())) {
    return Exhausted("QUEUE_FULL",
                     absl::StrCat(own - 1, " requests of this tenant wait, and the rest of the queue is for others"),
                     RetryAfter(last, account.ends));
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

void Admission::TakeWorkers(Task& task) {
  CountLive(task, task.workers_, 1);
  Account& account = *task.account_;
  account.last_turn = ++turns_;
  const Task::Lifetime& lifetime = task.lifetime();
  const Clock::time_point now = Clock::now();
  SetEnd(task, lifetime.longest > lifetime.deadline - now ? lifetime.deadline : now + lifetime.longest);
  task.runs_until_ = now + lifetime.shortest;
  if (lifetime.shortest > Clock::duration(0)) account.backlog.Begin(task.runs_until_);
}

void Admission::GiveBackWorkers(Task& task) {
  CountLive(task, -task.workers_, -1);
  RemoveEnd(task);
  if (task.lifetime().shortest > Clock::duration(0)) task.account_->backlog.End(task.runs_until_);
}

void Admission::SetEnd(Task& task, EndTimes::Time latest) {
  task.account_->ends.Set(task.end_, latest);
  ends_.Set(task.end_of_all_, latest);
}

void Admission::RemoveEnd(Task& task) {
  task.account_->ends.Remove(task.end_);
  ends_.Remove(task.end_of_all_);
}

void Admission::CountLive(const Task& task, int workers, int live) {
  PartOf(task).workers += workers;
  task.account_->workers += workers;
  task.account_->live[Index(task.priority())] += live;
}

}  // namespace kibitz::server
