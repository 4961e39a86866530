#include "server/analysis/deadlines.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <mutex>
#include <vector>

#include "server/scheduler/timer_queue.h"

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Clock = TimerQueue::Clock;

constexpr seconds kPatience{30};

TEST(DeadlinesTest, TheMarginIsTwoPercentAtLeastTwentyMillisecondsAndWhatGrpcAdds) {
  EXPECT_EQ(Deadlines::Margin(milliseconds(100)), milliseconds(3 + 20));
  EXPECT_EQ(Deadlines::Margin(seconds(1)), milliseconds(30 + 20));
  EXPECT_EQ(Deadlines::Margin(seconds(10)), milliseconds(300 + 200));
}

TEST(DeadlinesTest, StopsBeforeTheDeadline) {
  TimerQueue timers;
  Deadlines deadlines(timers);
  std::promise<Clock::time_point> stopped;
  const Clock::time_point start = Clock::now();
  deadlines.Add(start + milliseconds(300), [&] { stopped.set_value(Clock::now()); });
  auto future = stopped.get_future();
  ASSERT_EQ(future.wait_for(kPatience), std::future_status::ready);
  // Not long before it is due: 271 ms after the start, less what one Final takes.
  EXPECT_GE(future.get() - start, milliseconds(260));
  timers.Shutdown();
}

TEST(DeadlinesTest, StopsAtOnceWhatIsLate) {
  TimerQueue timers;
  Deadlines deadlines(timers);
  std::promise<void> stopped;
  deadlines.Add(Clock::now() - seconds(1), [&] { stopped.set_value(); });
  EXPECT_EQ(stopped.get_future().wait_for(kPatience), std::future_status::ready);
  timers.Shutdown();
}

TEST(DeadlinesTest, ForgetsWhatIsRemoved) {
  TimerQueue timers;
  Deadlines deadlines(timers);
  bool called = false;
  std::promise<void> later;
  const Deadlines::Id id = deadlines.Add(Clock::now() + milliseconds(100), [&] { called = true; });
  deadlines.Remove(id);
  deadlines.Add(Clock::now() + milliseconds(200), [&] { later.set_value(); });
  ASSERT_EQ(later.get_future().wait_for(kPatience), std::future_status::ready);
  timers.Shutdown();
  EXPECT_FALSE(called);
}

// Many at one moment: each has its time before that, none is forgotten, and the first goes early enough for all.
TEST(DeadlinesTest, ManyDeadlinesAtOnceAreStoppedOneAfterTheOther) {
  constexpr int kCount = 250;
  TimerQueue timers;
  Deadlines deadlines(timers);
  std::mutex mutex;
  std::vector<Clock::time_point> stops;
  std::promise<void> all;
  const Clock::time_point deadline = Clock::now() + milliseconds(600);
  for (int i = 0; i < kCount; ++i) {
    deadlines.Add(deadline, [&] {
      std::lock_guard lock(mutex);
      stops.push_back(Clock::now());
      if (stops.size() == kCount) all.set_value();
    });
  }
  ASSERT_EQ(all.get_future().wait_for(kPatience), std::future_status::ready);
  timers.Shutdown();
  EXPECT_EQ(stops.size(), static_cast<std::size_t>(kCount));
  EXPECT_GE(stops.back() - stops.front(), Deadlines::kTimePerFinal * (kCount / 2));
}

}  // namespace
}  // namespace kibitz::server
