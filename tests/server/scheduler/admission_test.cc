#include "server/scheduler/admission.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tests/server/scheduler/fake_task.h"

namespace kibitz::server {
namespace {

std::shared_ptr<FakeTask> SubmitBatch(Scheduler& scheduler, int threads = 1) {
  return Submit(scheduler, threads, Priority::kBatch);
}

TEST(AdmissionTest, AnInteractiveTaskStartsAtOnceAmongAFloodOfBatchWork) {
  Scheduler scheduler({.permits = 1, .max_workers = 8, .max_queue = 16});
  std::vector<std::shared_ptr<FakeTask>> flood;
  for (int i = 0; i < 100; ++i) flood.push_back(SubmitBatch(scheduler));
  EXPECT_EQ(scheduler.load().live, 6);     // three quarters of the workers
  EXPECT_EQ(scheduler.load().queued, 12);  // and of the queue
  EXPECT_TRUE(absl::IsResourceExhausted(flood.back()->AwaitDrop()));
  const auto interactive = Submit(scheduler);
  EXPECT_TRUE(interactive->AwaitStart());
  EXPECT_EQ(interactive->place(), 0);
}

TEST(AdmissionTest, InteractiveTasksAreQueuedWhenBatchWorkHasFilledItsPart) {
  Scheduler scheduler({.max_workers = 4, .max_queue = 4});
  std::vector<std::shared_ptr<FakeTask>> flood;
  for (int i = 0; i < 10; ++i) flood.push_back(SubmitBatch(scheduler));
  const auto running = Submit(scheduler);
  const auto waiting = Submit(scheduler);
  EXPECT_EQ(waiting->place(), 1);
  EXPECT_EQ(scheduler.load().queued, 4);
  EXPECT_TRUE(absl::IsResourceExhausted(Submit(scheduler)->AwaitDrop()));
  running->LetGo();
  EXPECT_TRUE(waiting->AwaitStart());
}

TEST(AdmissionTest, ABatchTaskThatWaitsForItsPartStartsWhenThereIsRoom) {
  Scheduler scheduler({.max_workers = 4, .max_batch_workers = 1});
  const auto first = SubmitBatch(scheduler);
  const auto second = SubmitBatch(scheduler);
  EXPECT_EQ(second->place(), 1);
  EXPECT_TRUE(Submit(scheduler)->AwaitStart());
  first->LetGo();
  EXPECT_TRUE(second->AwaitStart());
}

TEST(AdmissionTest, BatchWorkIsNotPassedByInteractiveWorkThatCameLater) {
  Scheduler scheduler({.max_workers = 2});
  const auto first = Submit(scheduler);
  const auto second = Submit(scheduler);
  const auto batch = SubmitBatch(scheduler);
  const auto later = Submit(scheduler);
  first->LetGo();
  EXPECT_TRUE(batch->AwaitStart());
  EXPECT_EQ(scheduler.load().queued, 1);
  second->LetGo();
  EXPECT_TRUE(later->AwaitStart());
}

TEST(AdmissionTest, BatchWorkDoesNotPassAnInteractiveTaskThatWaitsForManyWorkers) {
  Scheduler scheduler({.max_workers = 4});
  const auto running = Submit(scheduler, 2);
  const auto large = Submit(scheduler, 4);
  const auto batch = SubmitBatch(scheduler);
  EXPECT_EQ(scheduler.load().queued, 2);
  running->LetGo();
  EXPECT_TRUE(large->AwaitStart());
  EXPECT_EQ(scheduler.load().queued, 1);
  large->LetGo();
  EXPECT_TRUE(batch->AwaitStart());
}

TEST(AdmissionTest, ABatchTaskHasNoMoreWorkersThanAllBatchWork) {
  Scheduler scheduler({.max_workers = 4, .max_batch_workers = 2});
  const auto task = SubmitBatch(scheduler, 4);
  EXPECT_TRUE(task->AwaitStart());
  task->AwaitCheckpoints(100);
  task->LetGo();
  EXPECT_EQ(task->AwaitAllLeft(), 1);
}

TEST(AdmissionTest, BatchWorkRunsWhereThereIsOneWorkerOnly) {
  Scheduler scheduler({.max_workers = 1, .max_queue = 1});
  const auto running = SubmitBatch(scheduler);
  const auto waiting = SubmitBatch(scheduler);
  EXPECT_EQ(waiting->place(), 1);
  running->LetGo();
  EXPECT_TRUE(waiting->AwaitStart());
}

}  // namespace
}  // namespace kibitz::server
