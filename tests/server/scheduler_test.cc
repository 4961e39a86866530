#include "server/scheduler.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <vector>

namespace kibitz::server {
namespace {

constexpr std::chrono::seconds kPatience{30};

// Runs until it is let go or stopped, and tells what happened to it.
class FakeTask final : public Task {
 public:
  explicit FakeTask(int threads = 1) : Task(threads) {}

  void OnQueued(int place) override { place_ = place; }
  void Run(int threads) override {
    started_.set_value(threads);
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!let_go_ && !stop_signal().flag() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    ended_.set_value(stop_signal().cause());
  }
  void Drop(const absl::Status& why) override { dropped_.set_value(why); }

  void LetGo() { let_go_ = true; }
  int place() const { return place_; }
  // Each waits for its event. A failed future shows as -1, kNone or OK.
  int AwaitStart() { return Await(started_, -1); }
  StopCause AwaitEnd() { return Await(ended_, StopCause::kNone); }
  absl::Status AwaitDrop() { return Await(dropped_, absl::OkStatus()); }

 private:
  template <typename T>
  static T Await(std::promise<T>& promise, T otherwise) {
    std::future<T> future = promise.get_future();
    return future.wait_for(kPatience) == std::future_status::ready ? future.get() : otherwise;
  }

  std::atomic<bool> let_go_ = false;
  std::atomic<int> place_ = 0;
  std::promise<int> started_;
  std::promise<StopCause> ended_;
  std::promise<absl::Status> dropped_;
};

std::shared_ptr<FakeTask> Submit(Scheduler& scheduler, int threads = 1) {
  auto task = std::make_shared<FakeTask>(threads);
  scheduler.Submit(task);
  return task;
}

// A task's permits are free a moment after it ends.
void AwaitIdle(const Scheduler& scheduler) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (scheduler.load().running > 0 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  EXPECT_EQ(scheduler.load().running, 0);
}

TEST(SchedulerTest, RunsATaskAtOnceWhenIdle) {
  Scheduler scheduler(2, 10);
  const auto task = Submit(scheduler);
  EXPECT_EQ(task->AwaitStart(), 1);
  EXPECT_EQ(task->place(), 0);
  EXPECT_EQ(scheduler.load().running, 1);
  EXPECT_EQ(scheduler.load().queued, 0);
  task->LetGo();
  AwaitIdle(scheduler);
}

TEST(SchedulerTest, RunsAsManyAsThereArePermits) {
  Scheduler scheduler(2, 10);
  const auto first = Submit(scheduler);
  const auto second = Submit(scheduler);
  const auto third = Submit(scheduler);
  const auto fourth = Submit(scheduler);
  EXPECT_EQ(first->AwaitStart(), 1);
  EXPECT_EQ(second->AwaitStart(), 1);
  EXPECT_EQ(scheduler.load().running, 2);
  EXPECT_EQ(scheduler.load().queued, 2);
  EXPECT_EQ(third->place(), 1);
  EXPECT_EQ(fourth->place(), 2);
  second->LetGo();
  EXPECT_EQ(third->AwaitStart(), 1);
  first->LetGo();
  EXPECT_EQ(fourth->AwaitStart(), 1);
}

TEST(SchedulerTest, GivesAllFreePermitsToATaskThatTakesAny) {
  Scheduler scheduler(3, 10);
  const auto one = Submit(scheduler, 1);
  const auto any = Submit(scheduler, 0);
  EXPECT_EQ(any->AwaitStart(), 2);
  const auto waiting = Submit(scheduler, 0);
  EXPECT_EQ(waiting->place(), 1);
  one->LetGo();
  EXPECT_EQ(waiting->AwaitStart(), 1);
}

TEST(SchedulerTest, KeepsTheOrderEvenWhenALaterTaskWouldFit) {
  Scheduler scheduler(2, 10);
  const auto running = Submit(scheduler, 1);
  const auto large = Submit(scheduler, 2);
  const auto small = Submit(scheduler, 1);
  EXPECT_EQ(scheduler.load().queued, 2);
  running->LetGo();
  EXPECT_EQ(large->AwaitStart(), 2);
  EXPECT_EQ(scheduler.load().queued, 1);
  large->LetGo();
  EXPECT_EQ(small->AwaitStart(), 1);
}

TEST(SchedulerTest, RefusesWhenTheQueueIsFull) {
  Scheduler scheduler(1, 1);
  const auto running = Submit(scheduler);
  const auto queued = Submit(scheduler);
  const auto refused = Submit(scheduler);
  EXPECT_TRUE(absl::IsResourceExhausted(refused->AwaitDrop()));
  EXPECT_EQ(refused->place(), 0);
  EXPECT_EQ(scheduler.load().queued, 1);
}

TEST(SchedulerTest, WithoutAQueueRefusesAtOnce) {
  Scheduler scheduler(1, 0);
  const auto running = Submit(scheduler);
  EXPECT_EQ(running->AwaitStart(), 1);
  EXPECT_TRUE(absl::IsResourceExhausted(Submit(scheduler)->AwaitDrop()));
}

TEST(SchedulerTest, StopsARunningTask) {
  Scheduler scheduler(1, 1);
  const auto task = Submit(scheduler);
  EXPECT_EQ(task->AwaitStart(), 1);
  scheduler.Stop(task, StopCause::kCancelled);
  EXPECT_EQ(task->AwaitEnd(), StopCause::kCancelled);
}

TEST(SchedulerTest, KeepsTheFirstCause) {
  Scheduler scheduler(1, 1);
  const auto task = Submit(scheduler);
  scheduler.Stop(task, StopCause::kDeadline);
  scheduler.Stop(task, StopCause::kCancelled);
  EXPECT_EQ(task->AwaitEnd(), StopCause::kDeadline);
}

TEST(SchedulerTest, DropsATaskThatWaits) {
  Scheduler scheduler(1, 5);
  const auto running = Submit(scheduler);
  const auto waiting = Submit(scheduler);
  scheduler.Stop(waiting, StopCause::kDeadline);
  EXPECT_TRUE(absl::IsDeadlineExceeded(waiting->AwaitDrop()));
  EXPECT_EQ(scheduler.load().queued, 0);
}

TEST(SchedulerTest, LetsOthersPassWhenALargeTaskIsDropped) {
  Scheduler scheduler(2, 5);
  const auto running = Submit(scheduler, 1);
  const auto large = Submit(scheduler, 2);
  const auto small = Submit(scheduler, 1);
  scheduler.Stop(large, StopCause::kCancelled);
  EXPECT_EQ(small->AwaitStart(), 1);
}

TEST(SchedulerTest, DropsATaskThatWasStoppedBefore) {
  Scheduler scheduler(1, 5);
  const auto task = std::make_shared<FakeTask>();
  scheduler.Stop(task, StopCause::kCancelled);
  scheduler.Submit(task);
  EXPECT_TRUE(absl::IsCancelled(task->AwaitDrop()));
}

TEST(SchedulerTest, ShutdownStopsWhatRunsAndDropsTheRest) {
  Scheduler scheduler(1, 5);
  const auto running = Submit(scheduler);
  const auto waiting = Submit(scheduler);
  EXPECT_EQ(running->AwaitStart(), 1);
  scheduler.Shutdown();
  EXPECT_EQ(running->AwaitEnd(), StopCause::kShutdown);
  EXPECT_TRUE(absl::IsUnavailable(waiting->AwaitDrop()));
  EXPECT_TRUE(absl::IsUnavailable(Submit(scheduler)->AwaitDrop()));
  EXPECT_EQ(scheduler.load().running, 0);
}

TEST(SchedulerTest, SurvivesManyTasksStoppedAtAnyMoment) {
  Scheduler scheduler(4, 50);
  for (int i = 0; i < 2000; ++i) {
    const auto task = std::make_shared<FakeTask>(i % 5);
    std::thread stopper([&] { scheduler.Stop(task, StopCause::kCancelled); });
    scheduler.Submit(task);
    stopper.join();
  }
  AwaitIdle(scheduler);
  EXPECT_EQ(scheduler.load().queued, 0);
}

}  // namespace
}  // namespace kibitz::server
