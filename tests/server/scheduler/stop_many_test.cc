// Deadlines that fall together: what it takes to stop a thousand tasks that wait for their permits.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <iostream>
#include <memory>
#include <vector>

#include "server/scheduler/scheduler.h"
#include "server/scheduler/timer_queue.h"
#include "tests/server/scheduler/fake_task.h"

namespace kibitz::server {
namespace {

using std::chrono::steady_clock;

constexpr int kTasks = 1000;

double Milliseconds(steady_clock::duration time) { return std::chrono::duration<double, std::milli>(time).count(); }

TEST(StopManyTest, AThousandTasksLeaveTogether) {
  Scheduler scheduler({.permits = 2, .max_workers = kTasks});
  std::vector<std::shared_ptr<FakeTask>> tasks;
  for (int i = 0; i < kTasks; ++i) tasks.push_back(Submit(scheduler));
  for (const auto& task : tasks) EXPECT_TRUE(task->AwaitStart());
  const auto start = steady_clock::now();
  for (const auto& task : tasks) scheduler.Stop(task, StopCause::kDeadline);
  const auto stopped = steady_clock::now();
  for (const auto& task : tasks) EXPECT_EQ(task->AwaitEnd(), StopCause::kDeadline);
  const auto ended = steady_clock::now();
  for (const auto& task : tasks) EXPECT_EQ(task->AwaitAllLeft(), 0);
  AwaitIdle(scheduler);
  std::cout << kTasks << " tasks told to stop in " << Milliseconds(stopped - start) << " ms, their work over after "
            << Milliseconds(ended - start) << " ms, all gone after " << Milliseconds(steady_clock::now() - start)
            << " ms\n";
}

TEST(StopManyTest, AThousandQueuedTasksAreDroppedTogether) {
  Scheduler scheduler({.permits = 1, .max_workers = 1, .max_queue = kTasks});
  const auto running = Submit(scheduler);
  std::vector<std::shared_ptr<FakeTask>> tasks;
  for (int i = 0; i < kTasks; ++i) tasks.push_back(Submit(scheduler));
  EXPECT_EQ(scheduler.load().queued, kTasks);
  const auto start = steady_clock::now();
  // The last first, which a search through the queue would have to go all the way for.
  for (auto task = tasks.rbegin(); task != tasks.rend(); ++task) scheduler.Stop(*task, StopCause::kDeadline);
  std::cout << kTasks << " queued tasks dropped in " << Milliseconds(steady_clock::now() - start) << " ms\n";
  for (const auto& task : tasks) EXPECT_TRUE(absl::IsDeadlineExceeded(task->AwaitDrop()));
  EXPECT_EQ(scheduler.load().queued, 0);
  running->LetGo();
}

TEST(StopManyTest, TimersOfTheSameMomentStopThemAll) {
  Scheduler scheduler({.permits = 2, .max_workers = kTasks});
  TimerQueue timers;
  const auto due = steady_clock::now() + std::chrono::milliseconds(500);
  std::vector<std::shared_ptr<FakeTask>> tasks;
  for (int i = 0; i < kTasks; ++i) {
    tasks.push_back(Submit(scheduler));
    timers.Schedule(due, [&scheduler, task = tasks.back()] { scheduler.Stop(task, StopCause::kDeadline); });
  }
  for (const auto& task : tasks) EXPECT_EQ(task->AwaitEnd(), StopCause::kDeadline);
  const auto ended = steady_clock::now();
  std::cout << kTasks << " tasks over " << Milliseconds(ended - due) << " ms after the moment they had in common\n";
  AwaitIdle(scheduler);
}

}  // namespace
}  // namespace kibitz::server
