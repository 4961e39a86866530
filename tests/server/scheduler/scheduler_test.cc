#include "server/scheduler/scheduler.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <thread>
#include <vector>

namespace kibitz::server {
namespace {

constexpr std::chrono::seconds kPatience{30};

// Its workers take their turns until it is let go or stopped. Tells what happened to it.
class FakeTask final : public Task {
 public:
  explicit FakeTask(int threads = 1, Priority priority = Priority::kInteractive) : Task(threads, priority) {}

  void OnQueued(int place) override { place_ = place; }
  void Run(Worker& worker) override {
    started_.set_value(true);
    TakeTurns(worker);
    ended_.set_value(stop_signal().cause());
    run_ended_ = true;
  }
  void Help(int /*helper*/, Worker& worker) override {
    ++helpers_;
    TakeTurns(worker);
    ++helpers_left_;
  }
  void End() override { all_left_.set_value(helpers_left_); }
  void Drop(const absl::Status& why) override { dropped_.set_value(why); }

  void LetGo() { let_go_ = true; }
  int place() const { return place_; }
  int helpers() const { return helpers_; }
  std::int64_t turns() const { return turns_; }
  // Each waits for its event. A failed wait shows as false, kNone, OK or -1.
  bool AwaitStart() { return Await(started_, false); }
  StopCause AwaitEnd() { return Await(ended_, StopCause::kNone); }
  absl::Status AwaitDrop() { return Await(dropped_, absl::OkStatus()); }
  int AwaitAllLeft() { return Await(all_left_, -1); }
  void AwaitTurns(std::int64_t turns) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (turns_ < turns && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    EXPECT_GE(turns_, turns);
  }

 private:
  void TakeTurns(Worker& worker) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!let_go_ && !run_ended_ && !stop_signal().flag() && std::chrono::steady_clock::now() < end) {
      worker.turn().Checkpoint([] { return Turn::Time::max(); });
      ++turns_;
    }
  }
  template <typename T>
  static T Await(std::promise<T>& promise, T otherwise) {
    std::future<T> future = promise.get_future();
    return future.wait_for(kPatience) == std::future_status::ready ? future.get() : otherwise;
  }

  std::atomic<bool> let_go_ = false;
  std::atomic<bool> run_ended_ = false;
  std::atomic<int> place_ = 0;
  std::atomic<int> helpers_ = 0;
  std::atomic<int> helpers_left_ = 0;
  std::atomic<std::int64_t> turns_ = 0;
  std::promise<bool> started_;
  std::promise<StopCause> ended_;
  std::promise<absl::Status> dropped_;
  std::promise<int> all_left_;
};

std::shared_ptr<FakeTask> Submit(Scheduler& scheduler, int threads = 1) {
  auto task = std::make_shared<FakeTask>(threads);
  scheduler.Submit(task);
  return task;
}

// A task's place is free a moment after it ends.
void AwaitLive(const Scheduler& scheduler, int live) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (scheduler.load().live != live && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  EXPECT_EQ(scheduler.load().live, live);
}

void AwaitIdle(const Scheduler& scheduler) { AwaitLive(scheduler, 0); }

TEST(SchedulerTest, RunsATaskAtOnceWhenIdle) {
  Scheduler scheduler({.permits = 2});
  const auto task = Submit(scheduler);
  EXPECT_TRUE(task->AwaitStart());
  EXPECT_EQ(task->place(), 0);
  EXPECT_EQ(scheduler.load().live, 1);
  EXPECT_EQ(scheduler.load().queued, 0);
  task->LetGo();
  AwaitIdle(scheduler);
}

TEST(SchedulerTest, RunsManyMoreTasksThanThereArePermits) {
  Scheduler scheduler({.permits = 2});
  std::vector<std::shared_ptr<FakeTask>> tasks;
  for (int i = 0; i < 100; ++i) tasks.push_back(Submit(scheduler));
  // All of them get on, though none ever ends.
  for (const auto& task : tasks) task->AwaitTurns(1000);
  EXPECT_EQ(scheduler.load().live, 100);
  EXPECT_EQ(scheduler.load().queued, 0);
}

TEST(SchedulerTest, QueuesWhatIsAboveTheBound) {
  Scheduler scheduler({.permits = 1, .max_workers = 2});
  const auto first = Submit(scheduler);
  const auto second = Submit(scheduler);
  const auto third = Submit(scheduler);
  const auto fourth = Submit(scheduler);
  EXPECT_TRUE(first->AwaitStart());
  EXPECT_TRUE(second->AwaitStart());
  EXPECT_EQ(scheduler.load().live, 2);
  EXPECT_EQ(scheduler.load().queued, 2);
  EXPECT_EQ(third->place(), 1);
  EXPECT_EQ(fourth->place(), 2);
  second->LetGo();
  EXPECT_TRUE(third->AwaitStart());
  first->LetGo();
  EXPECT_TRUE(fourth->AwaitStart());
}

TEST(SchedulerTest, GivesATaskItsHelpersAndWaitsForThemAll) {
  Scheduler scheduler({.permits = 2});
  const auto task = Submit(scheduler, 4);
  EXPECT_TRUE(task->AwaitStart());
  task->AwaitTurns(10'000);
  task->LetGo();
  EXPECT_EQ(task->AwaitAllLeft(), 3);
  EXPECT_EQ(task->helpers(), 3);
}

TEST(SchedulerTest, HelpersThatWaitForTheirTurnAreLetGo) {
  Scheduler scheduler({.permits = 1});
  const auto other = Submit(scheduler);
  const auto task = Submit(scheduler, 8);
  EXPECT_TRUE(task->AwaitStart());
  scheduler.Stop(task, StopCause::kCancelled);
  EXPECT_GE(task->AwaitAllLeft(), 0);
  AwaitLive(scheduler, 1);
}

TEST(SchedulerTest, KeepsTheOrderEvenWhenALaterTaskWouldFit) {
  Scheduler scheduler({.permits = 2, .max_workers = 2});
  const auto running = Submit(scheduler, 1);
  const auto large = Submit(scheduler, 2);
  const auto small = Submit(scheduler, 1);
  EXPECT_EQ(scheduler.load().queued, 2);
  running->LetGo();
  EXPECT_TRUE(large->AwaitStart());
  EXPECT_EQ(scheduler.load().queued, 1);
  large->LetGo();
  EXPECT_TRUE(small->AwaitStart());
}

TEST(SchedulerTest, RefusesWhenTheQueueIsFull) {
  Scheduler scheduler({.max_workers = 1, .max_queue = 1});
  const auto running = Submit(scheduler);
  const auto queued = Submit(scheduler);
  const auto refused = Submit(scheduler);
  EXPECT_TRUE(absl::IsResourceExhausted(refused->AwaitDrop()));
  EXPECT_EQ(refused->place(), 0);
  EXPECT_EQ(scheduler.load().queued, 1);
}

TEST(SchedulerTest, WithoutAQueueRefusesAtOnce) {
  Scheduler scheduler({.max_workers = 1, .max_queue = 0});
  const auto running = Submit(scheduler);
  EXPECT_TRUE(running->AwaitStart());
  EXPECT_TRUE(absl::IsResourceExhausted(Submit(scheduler)->AwaitDrop()));
}

TEST(SchedulerTest, StopsARunningTask) {
  Scheduler scheduler({.max_workers = 1});
  const auto task = Submit(scheduler);
  EXPECT_TRUE(task->AwaitStart());
  scheduler.Stop(task, StopCause::kCancelled);
  EXPECT_EQ(task->AwaitEnd(), StopCause::kCancelled);
}

TEST(SchedulerTest, KeepsTheFirstCause) {
  Scheduler scheduler({.max_workers = 1});
  const auto task = Submit(scheduler);
  scheduler.Stop(task, StopCause::kDeadline);
  scheduler.Stop(task, StopCause::kCancelled);
  EXPECT_EQ(task->AwaitEnd(), StopCause::kDeadline);
}

TEST(SchedulerTest, DropsATaskThatWaits) {
  Scheduler scheduler({.max_workers = 1});
  const auto running = Submit(scheduler);
  const auto waiting = Submit(scheduler);
  scheduler.Stop(waiting, StopCause::kDeadline);
  EXPECT_TRUE(absl::IsDeadlineExceeded(waiting->AwaitDrop()));
  EXPECT_EQ(scheduler.load().queued, 0);
}

TEST(SchedulerTest, LetsOthersPassWhenALargeTaskIsDropped) {
  Scheduler scheduler({.permits = 2, .max_workers = 2});
  const auto running = Submit(scheduler, 1);
  const auto large = Submit(scheduler, 2);
  const auto small = Submit(scheduler, 1);
  scheduler.Stop(large, StopCause::kCancelled);
  EXPECT_TRUE(small->AwaitStart());
}

TEST(SchedulerTest, DropsATaskThatWasStoppedBefore) {
  Scheduler scheduler({.max_workers = 1});
  const auto task = std::make_shared<FakeTask>();
  scheduler.Stop(task, StopCause::kCancelled);
  scheduler.Submit(task);
  EXPECT_TRUE(absl::IsCancelled(task->AwaitDrop()));
}

TEST(SchedulerTest, ShutdownStopsWhatRunsAndDropsTheRest) {
  Scheduler scheduler({.max_workers = 1});
  const auto running = Submit(scheduler);
  const auto waiting = Submit(scheduler);
  EXPECT_TRUE(running->AwaitStart());
  scheduler.Shutdown();
  EXPECT_EQ(running->AwaitEnd(), StopCause::kShutdown);
  EXPECT_TRUE(absl::IsUnavailable(waiting->AwaitDrop()));
  EXPECT_TRUE(absl::IsUnavailable(Submit(scheduler)->AwaitDrop()));
  EXPECT_EQ(scheduler.load().live, 0);
}

TEST(SchedulerTest, SurvivesManyTasksStoppedAtAnyMoment) {
  Scheduler scheduler({.permits = 4, .max_workers = 20, .max_queue = 50});
  for (int i = 0; i < 2000; ++i) {
    const auto task = std::make_shared<FakeTask>(1 + i % 5);
    std::thread stopper([&] { scheduler.Stop(task, StopCause::kCancelled); });
    scheduler.Submit(task);
    stopper.join();
  }
  AwaitIdle(scheduler);
  EXPECT_EQ(scheduler.load().queued, 0);
}

}  // namespace
}  // namespace kibitz::server
