#include "server/scheduler/scheduler.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "tests/server/scheduler/fake_task.h"

namespace kibitz::server {
namespace {

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
  for (const auto& task : tasks) task->AwaitCheckpoints(1000);
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
  task->AwaitCheckpoints(10'000);
  task->LetGo();
  EXPECT_EQ(task->AwaitAllLeft(), 3);
  EXPECT_EQ(task->helpers(), 3);
}

TEST(SchedulerTest, HelpersThatWaitForAPermitAreLetGo) {
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

TEST(SchedulerTest, ASurveyTellsWhoHasWhat) {
  Scheduler scheduler({.permits = 1, .max_workers = 1});
  const auto live = Submit(scheduler);
  EXPECT_TRUE(live->AwaitStart());
  const auto queued = Submit(scheduler);
  const Scheduler::Survey survey = scheduler.survey();
  ASSERT_EQ(survey.tenants.size(), 1u);
  EXPECT_EQ(survey.tenants.at("").live, 1);
  EXPECT_EQ(survey.tenants.at("").queued, 1);
  EXPECT_EQ(survey.running, 1);
  EXPECT_GT(survey.oldest_queued.count(), 0);
  EXPECT_GT(survey.oldest_live, survey.oldest_queued);
  live->LetGo();
  EXPECT_TRUE(queued->AwaitStart());
  queued->LetGo();
  AwaitIdle(scheduler);
  EXPECT_TRUE(scheduler.survey().tenants.empty());
  EXPECT_EQ(scheduler.survey().oldest_live.count(), 0);
}

TEST(SchedulerTest, AHistoryTellsHowTasksEnded) {
  Scheduler scheduler({.permits = 1, .max_workers = 1});
  const auto well = Submit(scheduler);
  EXPECT_TRUE(well->AwaitStart());
  const auto queued = Submit(scheduler);
  scheduler.Stop(queued, StopCause::kDeadline);
  const auto cancelled = Submit(scheduler);
  well->LetGo();
  EXPECT_TRUE(cancelled->AwaitStart());
  scheduler.Stop(cancelled, StopCause::kCancelled);
  AwaitIdle(scheduler);
  const Scheduler::History history = scheduler.history();
  EXPECT_EQ(history.stopped[static_cast<std::size_t>(StopCause::kNone)], 1);
  EXPECT_EQ(history.stopped[static_cast<std::size_t>(StopCause::kDeadline)], 1);
  EXPECT_EQ(history.stopped[static_cast<std::size_t>(StopCause::kCancelled)], 1);
  EXPECT_EQ(history.cancels.count(), 1u);
  EXPECT_EQ(history.queue_waits.count(), 2u);
  EXPECT_GE(history.permit_waits.count(), 2u);
}

}  // namespace
}  // namespace kibitz::server
