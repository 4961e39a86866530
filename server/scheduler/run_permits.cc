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

bool RunPermits::AnybodyWaits() const { return AnybodyWaitsBefore(kRanks); }

bool RunPermits::AnybodyWaitsBefore(int rank) const {
  return std::any_of(waiting_.begin(), waiting_.begin() + rank, [](const auto& queue) { return !queue.empty(); });
}

void RunPermits::Enqueue(Turn& turn, bool at_front) {
  std::deque<Turn*>& queue = waiting_[static_cast<std::size_t>(turn.Rank())];
  queue.insert(at_front ? queue.begin() : queue.end(), &turn);
}

void RunPermits::Dequeue(Turn& turn) {
  for (std::deque<Turn*>& queue : waiting_) std::erase(queue, &turn);
}

Turn* RunPermits::PopNext(bool& in_fairness) {
  std::deque<Turn*>* chosen = nullptr;
  in_fairness = ++grants_ % kFairGrant == 0;
  for (std::deque<Turn*>& queue : waiting_) {
    if (queue.empty()) continue;
    const bool better =
        chosen == nullptr || (in_fairness && queue.front()->waiting_since_ < chosen->front()->waiting_since_);
    if (better) chosen = &queue;
  }
  if (chosen == nullptr) return nullptr;
  Turn* const next = chosen->front();
  chosen->pop_front();
  return next;
}

void RunPermits::HandOn(Time now) {
  while (free_ > 0) {
    bool in_fairness = false;
    Turn* const next = PopNext(in_fairness);
    if (next == nullptr) return;
    --free_;
    holding_.push_back(next);
    next->holds_permit_ = true;
    next->StartSlice(now, in_fairness ? kAges[0].slice : kAges[AgeAfter(next->used_)].slice);
    next->changed_.notify_one();
  }
}

void RunPermits::AskForPermit(int rank) {
  Turn* lowest = nullptr;
  for (Turn* turn : holding_) {
    if (!turn->asked_ && turn->Rank() > (lowest == nullptr ? rank : lowest->Rank())) lowest = turn;
  }
  if (lowest != nullptr) lowest->asked_ = true;
}

Turn::~Turn() {
  std::lock_guard lock(permits_.mutex_);
  GiveBack();
  permits_.HandOn(RunPermits::Clock::now());
}

void Turn::Begin() {
  std::unique_lock lock(permits_.mutex_);
  if (excused_) return;
  const Time now = RunPermits::Clock::now();
  waiting_since_ = now;
  permits_.Enqueue(*this, /*at_front=*/false);
  permits_.HandOn(now);
  if (!holds_permit_) permits_.AskForPermit(Rank());
  Wait(lock, [] { return Time::max(); });
}

void Turn::Checkpoint(const Due& due) {
  const Time now = RunPermits::Clock::now();
  if (now < slice_end_ && !asked_.load(std::memory_order_relaxed)) return;
  std::unique_lock lock(permits_.mutex_);
  if (excused_) return;
  asked_ = false;
  const bool slice_over = now >= slice_end_;
  CountUse(now);
  if (slice_over ? !permits_.AnybodyWaits() : !permits_.AnybodyWaitsBefore(Rank())) {
    if (slice_over) StartSlice(now, kAges[AgeAfter(used_)].slice);
    return;
  }
  GiveBack();
  waiting_since_ = now;
  // Who was asked to make way before his time is up is the first of his rank to go on.
  permits_.Enqueue(*this, /*at_front=*/!slice_over);
  permits_.HandOn(now);
  Wait(lock, due);
}

void Turn::Excuse() {
  std::lock_guard lock(permits_.mutex_);
  if (excused_) return;
  excused_ = true;
  asked_ = true;
  permits_.Dequeue(*this);
  GiveBack();
  permits_.HandOn(RunPermits::Clock::now());
  changed_.notify_one();
}

void Turn::LookAgain() {
  std::lock_guard lock(permits_.mutex_);
  changed_.notify_one();
}

int Turn::Rank() const { return static_cast<int>(priority_) * RunPermits::kAgeCount + AgeAfter(used_); }

void Turn::StartSlice(Time now, RunPermits::Clock::duration length) {
  slice_start_ = now;
  slice_end_ = now + length;
}

void Turn::CountUse(Time now) {
  used_ += now - slice_start_;
  slice_start_ = now;
}

void Turn::GiveBack() {
  if (!holds_permit_) return;
  holds_permit_ = false;
  std::erase(permits_.holding_, this);
  ++permits_.free_;
}

void Turn::Wait(std::unique_lock<std::mutex>& lock, const Due& due) {
  while (!holds_permit_ && !excused_) {
    const Time until = due();
    if (until == Time::max()) {
      changed_.wait(lock);
    } else if (RunPermits::Clock::now() < until) {
      changed_.wait_until(lock, until);
    } else {
      permits_.Dequeue(*this);
      excused_ = true;
      asked_ = true;
    }
  }
}

}  // namespace kibitz::server
