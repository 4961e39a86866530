#include "server/scheduler/run_permits.h"

#include <algorithm>

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;

// By how long a worker has run. The first slice is just long enough for a first answer. Long ones cost less: a worker
// that comes back finds its memory gone from the caches.
struct Age {
  RunPermits::Clock::duration until;
  RunPermits::Clock::duration slice;
};
constexpr Age kAges[] = {{milliseconds(2), milliseconds(2)},
                         {milliseconds(20), milliseconds(8)},
                         {RunPermits::Clock::duration::max(), milliseconds(50)}};

// Every so many grants one goes to whoever has waited longest.
constexpr unsigned kFairGrant = 8;

int AgeAfter(RunPermits::Clock::duration used) {
  int age = 0;
  while (used >= kAges[age].until) ++age;
  return age;
}

}  // namespace

RunPermits::RunPermits(int permits) : free_(permits), shares_(permits) {
  holding_.reserve(static_cast<std::size_t>(permits));
}

void RunPermits::SetWeight(Share& share, int weight) {
  std::lock_guard lock(mutex_);
  share.set_weight(weight);
}

int RunPermits::held() const {
  std::lock_guard lock(mutex_);
  return static_cast<int>(holding_.size());
}

void RunPermits::WaitList::PushFront(RunPermit& permit) {
  permit.waits_in_ = this;
  permit.previous_ = nullptr;
  permit.next_ = first_;
  (first_ == nullptr ? last_ : first_->previous_) = &permit;
  first_ = &permit;
}

void RunPermits::WaitList::PushBack(RunPermit& permit) {
  permit.waits_in_ = this;
  permit.previous_ = last_;
  permit.next_ = nullptr;
  (last_ == nullptr ? first_ : last_->next_) = &permit;
  last_ = &permit;
}

void RunPermits::WaitList::Remove(RunPermit& permit) {
  (permit.previous_ == nullptr ? first_ : permit.previous_->next_) = permit.next_;
  (permit.next_ == nullptr ? last_ : permit.next_->previous_) = permit.previous_;
  permit.waits_in_ = nullptr;
}

const RunPermits::WaitList* RunPermits::Share::First() const {
  const auto first = std::find_if(waiting_.begin(), waiting_.end(), [](const auto& list) { return !list.empty(); });
  return first == waiting_.end() ? nullptr : &*first;
}

bool RunPermits::AnybodyWaitsBefore(const RunPermit& permit) const {
  if (const FairShares::Share* next = shares_.Next(); next != nullptr && shares_.IsBehind(*next, permit.share_)) {
    return true;
  }
  const WaitList* const first = permit.share_.First();
  return first != nullptr && ComesAfter(permit, *first->front());
}

bool RunPermits::ComesAfter(const RunPermit& running, const RunPermit& other) const {
  if (&running.share_ == &other.share_) return running.Rank() > other.Rank();
  return shares_.IsBehind(other.share_, running.share_);
}

void RunPermits::Enqueue(RunPermit& permit, bool at_front) {
  shares_.Wait(permit.share_);
  WaitList& list = permit.share_.waiting_[static_cast<std::size_t>(permit.Rank())];
  if (at_front) {
    list.PushFront(permit);
  } else {
    list.PushBack(permit);
  }
}

void RunPermits::Dequeue(RunPermit& permit) {
  if (permit.waits_in_ == nullptr) return;
  permit.waits_in_->Remove(permit);
  if (permit.share_.First() == nullptr) shares_.Leave(permit.share_);
}

RunPermit* RunPermits::PopNext(bool& in_fairness) {
  auto* const share = static_cast<Share*>(shares_.Next());
  if (share == nullptr) return nullptr;
  RunPermit* next = nullptr;
  in_fairness = ++share->grants_ % kFairGrant == 0;
  for (const WaitList& list : share->waiting_) {
    if (list.empty()) continue;
    const bool better = next == nullptr || (in_fairness && list.front()->waiting_since_ < next->waiting_since_);
    if (better) next = list.front();
  }
  Dequeue(*next);
  return next;
}

void RunPermits::HandOn(Time now) {
  while (free_ > 0) {
    bool in_fairness = false;
    RunPermit* const next = PopNext(in_fairness);
    if (next == nullptr) return;
    --free_;
    holding_.push_back(next);
    next->held_ = true;
    waits_.Add(now - next->waiting_since_);
    next->StartSlice(now, in_fairness ? kAges[0].slice : kAges[AgeAfter(next->used_)].slice);
    next->changed_.notify_one();
  }
}

void RunPermits::AskForPermit(const RunPermit& permit) {
  RunPermit* last = nullptr;
  for (RunPermit* running : holding_) {
    if (!running->asked_ && ComesAfter(*running, last == nullptr ? permit : *last)) last = running;
  }
  if (last != nullptr) last->asked_ = true;
}

RunPermit::~RunPermit() {
  std::lock_guard lock(permits_.mutex_);
  const Time now = RunPermits::Clock::now();
  permits_.Dequeue(*this);
  GiveBack(now);
  permits_.HandOn(now);
}

void RunPermit::Acquire() {
  std::unique_lock lock(permits_.mutex_);
  if (exempt_) return;
  const Time now = RunPermits::Clock::now();
  waiting_since_ = now;
  permits_.Enqueue(*this, /*at_front=*/false);
  permits_.HandOn(now);
  if (!held_) permits_.AskForPermit(*this);
  Wait(lock, [] { return Time::max(); });
}

void RunPermit::Checkpoint(const Due& due) {
  const Time now = RunPermits::Clock::now();
  if (now < slice_end_ && !asked_.load(std::memory_order_relaxed)) return;
  std::unique_lock lock(permits_.mutex_);
  if (exempt_) return;
  asked_ = false;
  const bool slice_over = now >= slice_end_;
  const RunPermits::Clock::duration left = slice_end_ - now;
  CountUse(now);
  if (slice_over ? !permits_.AnybodyWaits() : !permits_.AnybodyWaitsBefore(*this)) {
    StartSlice(now, slice_over ? kAges[AgeAfter(used_)].slice : left);
    return;
  }
  GiveBack(now);
  waiting_since_ = now;
  // Who was asked to make way before his time is up is the first of his rank to go on.
  permits_.Enqueue(*this, /*at_front=*/!slice_over);
  permits_.HandOn(now);
  Wait(lock, due);
}

void RunPermit::Exempt() {
  {
    std::lock_guard lock(permits_.mutex_);
    if (exempt_) return;
    exempt_ = true;
    asked_ = true;
    permits_.Dequeue(*this);
    if (held_) {
      const Time now = RunPermits::Clock::now();
      GiveBack(now);
      permits_.HandOn(now);
    }
  }
  // Without the lock, which the worker needs as soon as it wakes: many may be exempted in a row.
  changed_.notify_one();
}

void RunPermit::Recheck() {
  std::lock_guard lock(permits_.mutex_);
  changed_.notify_one();
}

int RunPermit::Rank() const { return static_cast<int>(priority_) * RunPermits::kAgeCount + AgeAfter(used_); }

void RunPermit::StartSlice(Time now, RunPermits::Clock::duration length) {
  slice_start_ = now;
  slice_end_ = counted_until_ = now + length;
  permits_.shares_.Begin(share_, length);
}

void RunPermit::CountUse(Time now) {
  used_ += now - slice_start_;
  permits_.shares_.End(share_, counted_until_ - now);
  slice_start_ = counted_until_ = now;
}

void RunPermit::GiveBack(Time now) {
  if (!held_) return;
  CountUse(now);
  held_ = false;
  std::erase(permits_.holding_, this);
  ++permits_.free_;
}

void RunPermit::Wait(std::unique_lock<std::mutex>& lock, const Due& due) {
  while (!held_ && !exempt_) {
    const Time until = due();
    if (until == Time::max()) {
      changed_.wait(lock);
    } else if (RunPermits::Clock::now() < until) {
      changed_.wait_until(lock, until);
    } else {
      permits_.Dequeue(*this);
      exempt_ = true;
      asked_ = true;
    }
  }
}

}  // namespace kibitz::server
