// A task that tells what happened to it.

#ifndef KIBITZ_TESTS_SERVER_SCHEDULER_FAKE_TASK_H_
#define KIBITZ_TESTS_SERVER_SCHEDULER_FAKE_TASK_H_

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <thread>
#include <utility>

#include "server/scheduler/scheduler.h"
#include "server/tenant/tenant.h"

namespace kibitz::server {

inline constexpr std::chrono::seconds kPatience{30};

// Its workers visit their checkpoints until it is let go or stopped.
class FakeTask final : public Task {
 public:
  explicit FakeTask(int threads = 1, Priority priority = Priority::kInteractive,
                    TenantPointer tenant = AnonymousTenant())
      : Task(threads, priority, std::move(tenant)) {}

  void OnQueued(int place) override { place_ = place; }
  void Run(RunPermit& permit) override {
    started_.set_value(true);
    VisitCheckpoints(permit);
    ended_.set_value(stop_signal().cause());
    run_ended_ = true;
  }
  void Help(int /*helper*/, RunPermit& permit) override {
    ++helpers_;
    VisitCheckpoints(permit);
    ++helpers_left_;
  }
  void End() override { all_left_.set_value(helpers_left_); }
  void Drop(const absl::Status& why) override { dropped_.set_value(why); }

  void LetGo() { let_go_ = true; }
  int place() const { return place_; }
  int helpers() const { return helpers_; }
  // Each waits for its event. A failed wait shows as false, kNone, OK or -1.
  bool AwaitStart() { return Await(started_, false); }
  StopCause AwaitEnd() { return Await(ended_, StopCause::kNone); }
  absl::Status AwaitDrop() { return Await(dropped_, absl::OkStatus()); }
  int AwaitAllLeft() { return Await(all_left_, -1); }
  void AwaitCheckpoints(std::int64_t checkpoints) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (checkpoints_ < checkpoints && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    EXPECT_GE(checkpoints_, checkpoints);
  }

 private:
  void VisitCheckpoints(RunPermit& permit) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!let_go_ && !run_ended_ && !stop_signal().flag() && std::chrono::steady_clock::now() < end) {
      permit.Checkpoint([] { return RunPermit::Time::max(); });
      ++checkpoints_;
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
  std::atomic<std::int64_t> checkpoints_ = 0;
  std::promise<bool> started_;
  std::promise<StopCause> ended_;
  std::promise<absl::Status> dropped_;
  std::promise<int> all_left_;
};

inline std::shared_ptr<FakeTask> Submit(Scheduler& scheduler, int threads = 1,
                                        Priority priority = Priority::kInteractive,
                                        TenantPointer tenant = AnonymousTenant()) {
  auto task = std::make_shared<FakeTask>(threads, priority, std::move(tenant));
  scheduler.Submit(task);
  return task;
}

// A task's place is free a moment after it ends.
inline void AwaitLive(const Scheduler& scheduler, int live) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (scheduler.load().live != live && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  EXPECT_EQ(scheduler.load().live, live);
}

inline void AwaitIdle(const Scheduler& scheduler) { AwaitLive(scheduler, 0); }

}  // namespace kibitz::server

#endif  // KIBITZ_TESTS_SERVER_SCHEDULER_FAKE_TASK_H_
