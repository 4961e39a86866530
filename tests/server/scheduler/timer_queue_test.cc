#include "server/scheduler/timer_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

namespace kibitz::server {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr std::chrono::seconds kPatience{30};

TimerQueue::Time In(TimerQueue::Clock::duration time) { return TimerQueue::Clock::now() + time; }

// Waits until the queue has come to what is due now.
void AwaitTurn(TimerQueue& queue) {
  std::promise<void> done;
  queue.Schedule(In(microseconds(0)), [&] { done.set_value(); });
  ASSERT_EQ(done.get_future().wait_for(kPatience), std::future_status::ready);
}

TEST(TimerQueueTest, CallsBackNotBeforeTheTime) {
  TimerQueue queue;
  std::promise<TimerQueue::Time> called;
  const TimerQueue::Time due = In(milliseconds(20));
  queue.Schedule(due, [&] { called.set_value(TimerQueue::Clock::now()); });
  auto future = called.get_future();
  ASSERT_EQ(future.wait_for(kPatience), std::future_status::ready);
  EXPECT_GE(future.get(), due);
}

TEST(TimerQueueTest, CallsInTheOrderOfTheirTimesAndThenOfTheirSetting) {
  TimerQueue queue;
  const TimerQueue::Time due = In(milliseconds(50));
  std::vector<int> calls;  // by the queue's thread alone
  std::promise<void> done;
  queue.Schedule(due + milliseconds(1), [&] { done.set_value(); });
  for (int i = 0; i < 3; ++i) queue.Schedule(due, [&, i] { calls.push_back(i); });
  queue.Schedule(due - milliseconds(1), [&] { calls.push_back(-1); });
  ASSERT_EQ(done.get_future().wait_for(kPatience), std::future_status::ready);
  EXPECT_EQ(calls, (std::vector<int>{-1, 0, 1, 2}));
}

TEST(TimerQueueTest, AnEarlierTimerIsNotHeldUpByALaterOne) {
  TimerQueue queue;
  queue.Schedule(In(hours(1)), [] { ADD_FAILURE() << "not within this test"; });
  queue.Schedule(TimerQueue::Time::max(), [] { ADD_FAILURE() << "never"; });
  AwaitTurn(queue);
}

TEST(TimerQueueTest, ACancelledTimerDoesNotCall) {
  TimerQueue queue;
  const auto held = std::make_shared<int>(0);
  TimerQueue::Timer timer = queue.Schedule(In(hours(1)), [held] { ADD_FAILURE() << "it was cancelled"; });
  EXPECT_TRUE(timer.Cancel());
  EXPECT_EQ(held.use_count(), 1);  // the callback is gone
  EXPECT_FALSE(timer.Cancel());
}

TEST(TimerQueueTest, CancelAfterTheCallDoesNothing) {
  TimerQueue queue;
  std::promise<void> called;
  TimerQueue::Timer timer = queue.Schedule(In(microseconds(0)), [&] { called.set_value(); });
  ASSERT_EQ(called.get_future().wait_for(kPatience), std::future_status::ready);
  EXPECT_FALSE(timer.Cancel());
  EXPECT_FALSE(TimerQueue::Timer().Cancel());
}

TEST(TimerQueueTest, ACallbackMaySetAndCancelTimers) {
  TimerQueue queue;
  TimerQueue::Timer later = queue.Schedule(In(hours(1)), [] {});
  std::promise<bool> cancelled;
  queue.Schedule(In(microseconds(0)),
                 [&] { queue.Schedule(In(microseconds(0)), [&] { cancelled.set_value(later.Cancel()); }); });
  auto future = cancelled.get_future();
  ASSERT_EQ(future.wait_for(kPatience), std::future_status::ready);
  EXPECT_TRUE(future.get());
}

TEST(TimerQueueTest, SurvivesACallbackThatThrows) {
  TimerQueue queue;
  queue.Schedule(In(microseconds(0)), [] { throw std::runtime_error("an accident"); });
  queue.Schedule(In(microseconds(0)), [] { throw 1; });
  AwaitTurn(queue);
}

TEST(TimerQueueTest, ShutdownDropsWhatWaitsAndWhatComesLater) {
  TimerQueue queue;
  const auto held = std::make_shared<int>(0);
  TimerQueue::Timer timer = queue.Schedule(In(hours(1)), [held] { ADD_FAILURE() << "it was dropped"; });
  queue.Shutdown();
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_FALSE(timer.Cancel());
  TimerQueue::Timer late = queue.Schedule(In(microseconds(0)), [held] { ADD_FAILURE() << "too late"; });
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_FALSE(late.Cancel());
  queue.Shutdown();
}

TEST(TimerQueueTest, AHandleMayOutliveTheQueue) {
  auto queue = std::make_unique<TimerQueue>();
  TimerQueue::Timer timer = queue->Schedule(In(hours(1)), [] {});
  queue.reset();
  EXPECT_FALSE(timer.Cancel());
}

TEST(TimerQueueTest, ItsMakerHearsWhenThereIsNoThread) {
  const ThreadFactory none = [](const std::function<void()>&) -> std::thread {
    throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
  };
  EXPECT_THROW(TimerQueue queue(none), std::system_error);
}

TEST(TimerQueueTest, ManyTimersFromManyThreads) {
  constexpr int kThreads = 4;
  constexpr int kTimers = 5000;
  std::atomic<int> called = 0;
  std::atomic<int> cancelled = 0;
  TimerQueue queue;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < kTimers; ++n) {
        TimerQueue::Timer timer = queue.Schedule(In(microseconds(n % 1000)), [&] { ++called; });
        if (n % 3 == 0 && timer.Cancel()) ++cancelled;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (called + cancelled < kThreads * kTimers && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  EXPECT_EQ(called + cancelled, kThreads * kTimers);
}

}  // namespace
}  // namespace kibitz::server
