#include "server/analysis/deadlines.h"

#include <algorithm>

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr milliseconds kMinMargin{20};

}  // namespace

nanoseconds Deadlines::Margin(nanoseconds given) {
  return given * 3 / 100 + std::max<nanoseconds>(kMinMargin, given / 50);
}

Deadlines::Id Deadlines::Add(Time deadline, std::function<void()> stop) {
  std::lock_guard lock(mutex_);
  const Time alone = deadline - Margin(deadline - TimerQueue::Clock::now());
  const Id id{alone, ++count_};
  stops_.emplace(id, std::move(stop));
  // Sooner than it may have to be: then all are looked at.
  WakeAt(alone - kTimePerFinal * static_cast<int>(stops_.size()));
  return id;
}

void Deadlines::Remove(const Id& id) {
  std::lock_guard lock(mutex_);
  stops_.erase(id);
}

void Deadlines::WakeAt(Time time) {
  if (time >= wake_) return;
  wake_ = time;
  timers_.Schedule(time, [this] { OnTimer(); });
}

void Deadlines::OnTimer() {
  std::vector<std::function<void()>> due;
  {
    std::lock_guard lock(mutex_);
    const Time now = TimerQueue::Clock::now();
    // An earlier timer may have been set since this one was.
    if (now < wake_) return;
    wake_ = Time::max();
    Time next = Time::max();
    due = TakeDue(now, next);
    if (next != Time::max()) WakeAt(next);
  }
  for (const auto& stop : due) stop();
}

std::vector<std::function<void()>> Deadlines::TakeDue(Time now, Time& next) {
  // From the last to the first: each must be done before the next one begins. `latest` is when the one at hand has to
  // begin, so all before it have to begin sooner still.
  Time latest = Time::max();
  auto first_not_due = stops_.begin();
  for (auto stop = stops_.rbegin(); stop != stops_.rend(); ++stop) {
    latest = std::min(stop->first.first, latest == Time::max() ? latest : latest - kTimePerFinal);
    if (latest <= now) {
      first_not_due = stop.base();
      break;
    }
    next = latest;
  }
  std::vector<std::function<void()>> due;
  for (auto stop = stops_.begin(); stop != first_not_due; ++stop) due.push_back(std::move(stop->second));
  stops_.erase(stops_.begin(), first_not_due);
  return due;
}

}  // namespace kibitz::server
