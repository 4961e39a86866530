// What the scheduler does when threads or memory give out, or a task throws.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <new>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "server/errors/errors.h"
#include "server/scheduler/scheduler.h"
#include "tests/server/scheduler/fake_task.h"

namespace kibitz::server {
namespace {

// Gives so many threads, and then none until it is given more.
class ThreadSupply {
 public:
  explicit ThreadSupply(int threads) : left_(threads) {}

  ThreadFactory Factory() {
    return [this](std::function<void()> body) {
      if (left_.fetch_sub(1) <= 0) {
        ++left_;
        throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
      }
      return StartThread(std::move(body));
    };
  }
  void Add(int threads) { left_ += threads; }

 private:
  std::atomic<int> left_;
};

// Throws where it is told to.
template <typename Exception>
class ThrowingTask final : public Task {
 public:
  enum class Where { kQueued, kRun, kHelp, kEnd, kDrop };

  explicit ThrowingTask(Where where, int threads = 1)
      : Task(threads, Priority::kInteractive, AnonymousTenant()), where_(where) {}

  void OnQueued(int /*place*/) override { ThrowAt(Where::kQueued); }
  void Run(RunPermit& permit) override {
    ThrowAt(Where::kRun);
    ThrowAt(Where::kDrop);
    if (where_ == Where::kHelp) AwaitStop(permit);
  }
  void Help(int /*helper*/, RunPermit& permit) override {
    ThrowAt(Where::kHelp);
    AwaitStop(permit);
  }
  void End() override {
    ThrowAt(Where::kEnd);
    ADD_FAILURE() << "a task that failed does not end well";
  }
  void Drop(const absl::Status& why) override {
    dropped_.set_value(why);
    ThrowAt(Where::kDrop);
  }

  absl::Status AwaitDrop() {
    std::future<absl::Status> future = dropped_.get_future();
    return future.wait_for(kPatience) == std::future_status::ready ? future.get() : absl::OkStatus();
  }

 private:
  void ThrowAt(Where where) {
    if (where == where_) throw Exception();
  }
  void AwaitStop(RunPermit& permit) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!stop_signal().flag() && std::chrono::steady_clock::now() < end) {
      permit.Checkpoint([] { return RunPermit::Time::max(); });
    }
  }

  const Where where_;
  std::promise<absl::Status> dropped_;
};

struct Accident : std::runtime_error {
  Accident() : std::runtime_error("an accident") {}
};

TEST(SchedulerFailureTest, RefusesTheFirstTaskWhenThereAreNoThreads) {
  ThreadSupply supply(0);
  Scheduler scheduler({}, supply.Factory());
  const absl::Status refusal = Submit(scheduler)->AwaitDrop();
  EXPECT_TRUE(absl::IsResourceExhausted(refusal));
  EXPECT_EQ(ReasonOf(refusal), "THREADS_EXHAUSTED");
  EXPECT_EQ(scheduler.load().live, 0);
  EXPECT_EQ(scheduler.load().queued, 0);
  EXPECT_EQ(scheduler.load().threads_refused, 1);
}

TEST(SchedulerFailureTest, GoesOnWhenThereAreThreadsAgain) {
  ThreadSupply supply(0);
  Scheduler scheduler({}, supply.Factory());
  EXPECT_TRUE(absl::IsResourceExhausted(Submit(scheduler)->AwaitDrop()));
  supply.Add(1);
  const auto task = Submit(scheduler);
  EXPECT_TRUE(task->AwaitStart());
  task->LetGo();
  AwaitIdle(scheduler);
}

TEST(SchedulerFailureTest, ATaskDoesWithFewerHelpers) {
  ThreadSupply supply(2);
  Scheduler scheduler({.permits = 2}, supply.Factory());
  const auto task = Submit(scheduler, 4);
  EXPECT_TRUE(task->AwaitStart());
  task->LetGo();
  EXPECT_EQ(task->AwaitAllLeft(), 1);
  EXPECT_EQ(scheduler.load().threads_refused, 1);
  // Its places are counted back as they were counted.
  AwaitIdle(scheduler);
  supply.Add(2);
  const auto next = Submit(scheduler, 4);
  EXPECT_TRUE(next->AwaitStart());
  next->LetGo();
  EXPECT_EQ(next->AwaitAllLeft(), 3);
}

TEST(SchedulerFailureTest, ATaskWaitsForAThreadThatComesFree) {
  ThreadSupply supply(1);
  Scheduler scheduler({.permits = 2}, supply.Factory());
  const auto running = Submit(scheduler);
  const auto waiting = Submit(scheduler);
  const auto last = Submit(scheduler);
  EXPECT_TRUE(running->AwaitStart());
  EXPECT_EQ(waiting->place(), 1);
  EXPECT_EQ(last->place(), 2);
  EXPECT_GE(scheduler.load().threads_refused, 1);
  running->LetGo();
  EXPECT_TRUE(waiting->AwaitStart());
  waiting->LetGo();
  EXPECT_TRUE(last->AwaitStart());
}

TEST(SchedulerFailureTest, ATaskThatComesLaterBringsThreadsForThoseThatWait) {
  ThreadSupply supply(1);
  Scheduler scheduler({.permits = 2}, supply.Factory());
  const auto running = Submit(scheduler);
  const auto waiting = Submit(scheduler);
  EXPECT_EQ(waiting->place(), 1);
  supply.Add(2);
  EXPECT_TRUE(Submit(scheduler)->AwaitStart());
  EXPECT_TRUE(waiting->AwaitStart());
}

TEST(SchedulerFailureTest, ATaskThatWaitsForAThreadIsStopped) {
  ThreadSupply supply(1);
  Scheduler scheduler({.permits = 2}, supply.Factory());
  const auto running = Submit(scheduler);
  const auto waiting = Submit(scheduler);
  scheduler.Stop(waiting, StopCause::kCancelled);
  EXPECT_TRUE(absl::IsCancelled(waiting->AwaitDrop()));
}

TEST(SchedulerFailureTest, ThreadsAreUsedAgain) {
  ThreadSupply supply(1);
  Scheduler scheduler({}, supply.Factory());
  for (int i = 0; i < 100; ++i) {
    const auto task = Submit(scheduler);
    EXPECT_TRUE(task->AwaitStart());
    task->LetGo();
    AwaitIdle(scheduler);
  }
  EXPECT_EQ(scheduler.load().threads_refused, 0);
}

template <typename Exception>
absl::Status OutcomeOf(Scheduler& scheduler, typename ThrowingTask<Exception>::Where where, int threads = 1) {
  const auto task = std::make_shared<ThrowingTask<Exception>>(where, threads);
  scheduler.Submit(task);
  return task->AwaitDrop();
}

TEST(SchedulerFailureTest, ATaskThatThrowsIsDroppedAndItsWorkersLeave) {
  using Where = ThrowingTask<Accident>::Where;
  Scheduler scheduler({.permits = 2});
  EXPECT_EQ(ReasonOf(OutcomeOf<Accident>(scheduler, Where::kRun)), "TASK_FAILED");
  EXPECT_EQ(ReasonOf(OutcomeOf<Accident>(scheduler, Where::kRun, 4)), "TASK_FAILED");
  EXPECT_EQ(ReasonOf(OutcomeOf<Accident>(scheduler, Where::kHelp, 4)), "TASK_FAILED");
  EXPECT_EQ(ReasonOf(OutcomeOf<Accident>(scheduler, Where::kEnd)), "TASK_FAILED");
  EXPECT_EQ(ReasonOf(OutcomeOf<Accident>(scheduler, Where::kDrop)), "TASK_FAILED");
  AwaitIdle(scheduler);
  const auto next = Submit(scheduler, 2);
  EXPECT_TRUE(next->AwaitStart());
}

TEST(SchedulerFailureTest, WithoutMemoryATaskIsToldToComeBack) {
  using Where = ThrowingTask<std::bad_alloc>::Where;
  Scheduler scheduler({.permits = 2});
  const absl::Status outcome = OutcomeOf<std::bad_alloc>(scheduler, Where::kRun, 2);
  EXPECT_TRUE(absl::IsResourceExhausted(outcome));
  EXPECT_EQ(ReasonOf(outcome), "MEMORY_EXHAUSTED");
  AwaitIdle(scheduler);
}

TEST(SchedulerFailureTest, ATaskThatCannotBeToldToWaitDoesNotWait) {
  using Where = ThrowingTask<std::bad_alloc>::Where;
  Scheduler scheduler({.max_workers = 1});
  const auto running = Submit(scheduler);
  EXPECT_EQ(ReasonOf(OutcomeOf<std::bad_alloc>(scheduler, Where::kQueued)), "MEMORY_EXHAUSTED");
  EXPECT_EQ(scheduler.load().queued, 0);
  running->LetGo();
  AwaitIdle(scheduler);
}

}  // namespace
}  // namespace kibitz::server
