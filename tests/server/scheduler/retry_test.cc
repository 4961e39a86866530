// Tasks of known length, and what those are told who find no room.

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "google/rpc/error_details.pb.h"
#include "server/errors/errors.h"
#include "server/scheduler/scheduler.h"
#include "server/tenant/tenant.h"
#include "tests/server/scheduler/fake_task.h"

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;
using Clock = Task::Lifetime::Clock;

// Runs for so long, as a search does that is given a time.
class TimedTask final : public Task {
 public:
  TimedTask(TenantPointer tenant, Lifetime lifetime)
      : Task(1, Priority::kInteractive, std::move(tenant)), length_(lifetime.longest) {
    set_lifetime(lifetime);
  }

  void Run(RunPermit& permit) override {
    const Clock::time_point end = Clock::now() + length_;
    while (Clock::now() < end && !stop_signal().flag()) permit.Checkpoint([&] { return end; });
  }
  void Drop(const absl::Status& why) override { dropped_ = why; }

  const absl::Status& dropped() const { return dropped_; }

 private:
  const Clock::duration length_;
  absl::Status dropped_;
};

Task::Lifetime Lasting(Clock::duration length) { return {.shortest = length, .longest = length}; }

// What a task is told that is refused at once; OK for one that is not.
absl::Status TrySubmit(Scheduler& scheduler, const TenantPointer& tenant, const Task::Lifetime& lifetime) {
  const auto task = std::make_shared<TimedTask>(tenant, lifetime);
  scheduler.Submit(task);
  return task->dropped();
}

nanoseconds RetryAfter(const absl::Status& status) {
  google::rpc::RetryInfo retry;
  const auto payload = status.GetPayload("type.googleapis.com/google.rpc.RetryInfo");
  EXPECT_TRUE(payload.has_value() && retry.ParseFromString(std::string(*payload)));
  return seconds(retry.retry_delay().seconds()) + nanoseconds(retry.retry_delay().nanos());
}

TenantPointer Small() {
  return std::make_shared<const Tenant>(Tenant{.name = "small", .quota = {.max_live = 1, .max_queued = 1}});
}

TEST(RetryTest, WhoComesBackWhenATenantsPlaceIsFreeGetsIn) {
  Scheduler scheduler({.permits = 2});
  const TenantPointer tenant = Small();
  const Task::Lifetime lifetime = Lasting(milliseconds(300));
  EXPECT_TRUE(TrySubmit(scheduler, tenant, lifetime).ok());
  EXPECT_TRUE(TrySubmit(scheduler, tenant, lifetime).ok());
  for (int round = 0; round < 3; ++round) {
    const Clock::time_point refused_at = Clock::now();
    const absl::Status refused = TrySubmit(scheduler, tenant, lifetime);
    ASSERT_EQ(ReasonOf(refused), "QUEUE_QUOTA") << round;
    const nanoseconds delay = RetryAfter(refused);
    EXPECT_LE(delay, milliseconds(300 + 201));
    std::this_thread::sleep_until(refused_at + delay);
    EXPECT_TRUE(TrySubmit(scheduler, tenant, lifetime).ok()) << round;
  }
}

TEST(RetryTest, WhoComesBackToAFullQueueGetsIn) {
  Scheduler scheduler({.permits = 2, .max_workers = 2, .max_queue = 2});
  for (const int length : {200, 400, 200, 200}) {
    EXPECT_TRUE(TrySubmit(scheduler, AnonymousTenant(), Lasting(milliseconds(length))).ok());
  }
  const Clock::time_point refused_at = Clock::now();
  const nanoseconds first = RetryAfter(TrySubmit(scheduler, AnonymousTenant(), Lasting(milliseconds(200))));
  const nanoseconds second = RetryAfter(TrySubmit(scheduler, AnonymousTenant(), Lasting(milliseconds(200))));
  EXPECT_LT(first, milliseconds(200 + 201));
  EXPECT_GT(second, first);
  EXPECT_LT(second, milliseconds(400 + 201));
  for (const nanoseconds delay : {first, second}) {
    std::this_thread::sleep_until(refused_at + delay);
    EXPECT_TRUE(TrySubmit(scheduler, AnonymousTenant(), Lasting(milliseconds(200))).ok());
  }
}

TEST(RetryTest, ADeadlineFreesAPlaceToo) {
  Scheduler scheduler({.max_workers = 1, .max_queue = 1});
  const auto running = Submit(scheduler);
  const auto waiting = std::make_shared<TimedTask>(
      AnonymousTenant(), Task::Lifetime{.longest = seconds(9), .deadline = Clock::now() + seconds(5)});
  scheduler.Submit(waiting);
  const nanoseconds delay = RetryAfter(TrySubmit(scheduler, AnonymousTenant(), {}));
  EXPECT_GT(delay, seconds(3));
  EXPECT_LT(delay, seconds(6));
}

TEST(RetryTest, WhereNothingIsKnownItIsAGuess) {
  Scheduler scheduler({.max_workers = 1, .max_queue = 1});
  const auto running = Submit(scheduler);
  const auto waiting = Submit(scheduler);
  EXPECT_EQ(RetryAfter(TrySubmit(scheduler, AnonymousTenant(), {})), seconds(2));
}

TEST(RetryTest, WhatCannotBeginBeforeItsDeadlineIsRefusedAtOnce) {
  Scheduler scheduler({.max_workers = 1});
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(TrySubmit(scheduler, AnonymousTenant(), Lasting(seconds(100))).ok());
  const auto by = [](seconds time) { return Task::Lifetime{.deadline = Clock::now() + time}; };
  const absl::Status refused = TrySubmit(scheduler, AnonymousTenant(), by(seconds(290)));
  EXPECT_TRUE(absl::IsDeadlineExceeded(refused));
  EXPECT_EQ(ReasonOf(refused), "DEADLINE_NEAR");
  EXPECT_TRUE(TrySubmit(scheduler, AnonymousTenant(), by(seconds(310))).ok());
  EXPECT_EQ(scheduler.load().queued, 3);
}

TEST(RetryTest, WorkOfUnknownLengthRefusesNobody) {
  Scheduler scheduler({.max_workers = 1});
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(TrySubmit(scheduler, AnonymousTenant(), {.longest = seconds(100)}).ok());
  EXPECT_TRUE(TrySubmit(scheduler, AnonymousTenant(), {.deadline = Clock::now() + seconds(1)}).ok());
}

}  // namespace
}  // namespace kibitz::server
