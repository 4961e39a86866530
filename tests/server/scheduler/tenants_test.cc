// Tenants that share one scheduler.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "server/errors/errors.h"
#include "server/tenant/tenant.h"
#include "tests/server/scheduler/fake_task.h"

namespace kibitz::server {
namespace {

using Fakes = std::vector<std::shared_ptr<FakeTask>>;

TenantPointer MakeTenant(const std::string& name, const Quota& quota = {}) {
  return std::make_shared<const Tenant>(Tenant{.name = name, .quota = quota});
}

std::shared_ptr<FakeTask> SubmitFor(Scheduler& scheduler, const TenantPointer& tenant,
                                    Priority priority = Priority::kInteractive, int threads = 1) {
  return Submit(scheduler, threads, priority, tenant);
}

Fakes Flood(Scheduler& scheduler, const TenantPointer& tenant, int count, Priority priority = Priority::kInteractive) {
  Fakes flood;
  for (int i = 0; i < count; ++i) flood.push_back(SubmitFor(scheduler, tenant, priority));
  return flood;
}

TEST(TenantsTest, AFloodLeavesWorkersAndQueueForOthers) {
  Scheduler scheduler({.max_workers = 8, .max_queue = 10});
  const Fakes flood = Flood(scheduler, MakeTenant("a"), 100);
  EXPECT_EQ(scheduler.load().live, 4);
  EXPECT_EQ(scheduler.load().queued, 5);
  EXPECT_EQ(ReasonOf(flood.back()->AwaitDrop()), "QUEUE_FULL");
  const TenantPointer other = MakeTenant("b");
  EXPECT_TRUE(SubmitFor(scheduler, other)->AwaitStart());
  EXPECT_TRUE(SubmitFor(scheduler, other)->AwaitStart());
  EXPECT_EQ(SubmitFor(scheduler, other)->place(), 1);
  // And for a third.
  EXPECT_TRUE(SubmitFor(scheduler, MakeTenant("c"))->AwaitStart());
}

TEST(TenantsTest, WithoutTenantsNothingIsKept) {
  Scheduler scheduler({.max_workers = 8, .max_queue = 10});
  const Fakes flood = Flood(scheduler, AnonymousTenant(), 100);
  EXPECT_EQ(scheduler.load().live, 8);
  EXPECT_EQ(scheduler.load().queued, 10);
}

TEST(TenantsTest, ATenantThatHasNoneMayTakeTheLast) {
  Scheduler scheduler({.permits = 4, .max_workers = 4, .max_queue = 1});
  const auto all = SubmitFor(scheduler, MakeTenant("a"), Priority::kInteractive, 4);
  EXPECT_TRUE(all->AwaitStart());
  EXPECT_EQ(SubmitFor(scheduler, MakeTenant("b"))->place(), 1);
  EXPECT_EQ(ReasonOf(SubmitFor(scheduler, MakeTenant("c"))->AwaitDrop()), "QUEUE_FULL");
}

TEST(TenantsTest, BatchWorkLeavesRoomForItsOwnTenant) {
  Scheduler scheduler({.max_workers = 9, .max_queue = 9});
  const TenantPointer tenant = MakeTenant("a");
  const Fakes flood = Flood(scheduler, tenant, 100, Priority::kBatch);
  EXPECT_EQ(scheduler.load().live, 3);
  EXPECT_EQ(scheduler.load().queued, 3);
  EXPECT_TRUE(SubmitFor(scheduler, tenant)->AwaitStart());
}

TEST(TenantsTest, TheNextIsOfTheTenantThatHasLeastForItsShare) {
  Scheduler scheduler({.max_workers = 12});
  const auto all = SubmitFor(scheduler, MakeTenant("all"), Priority::kInteractive, 12);
  const Fakes lights = Flood(scheduler, MakeTenant("light"), 6);
  const Fakes heavies = Flood(scheduler, MakeTenant("heavy", {.share = 3}), 6);
  EXPECT_EQ(heavies.front()->place(), 1);
  EXPECT_EQ(scheduler.load().queued, 12);
  all->LetGo();
  // With equal shares there would be four of each. The last four workers are kept.
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(heavies[i]->AwaitStart());
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(lights[i]->AwaitStart());
  EXPECT_EQ(scheduler.load().live, 8);
}

TEST(TenantsTest, AQueueOfOneTenantDoesNotHoldUpAnother) {
  Scheduler scheduler({.max_workers = 2, .max_queue = 2000});
  const TenantPointer first = MakeTenant("a");
  Fakes flood = Flood(scheduler, first, 1000);
  const auto other = SubmitFor(scheduler, MakeTenant("b"));
  EXPECT_TRUE(other->AwaitStart());
  const auto second = SubmitFor(scheduler, MakeTenant("c"));
  EXPECT_EQ(second->place(), 1);
  flood[0]->LetGo();
  EXPECT_TRUE(second->AwaitStart());
  other->LetGo();
  EXPECT_TRUE(flood[1]->AwaitStart());
}

TEST(TenantsTest, ATenantHasNoMoreLiveThanItsQuota) {
  Scheduler scheduler({.max_workers = 100});
  const TenantPointer tenant = MakeTenant("a", {.max_live = 2});
  const Fakes tasks = Flood(scheduler, tenant, 4);
  EXPECT_EQ(scheduler.load().live, 2);
  EXPECT_EQ(scheduler.load().queued, 2);
  EXPECT_EQ(tasks[3]->place(), 2);
  EXPECT_TRUE(SubmitFor(scheduler, MakeTenant("b"))->AwaitStart());
  tasks[0]->LetGo();
  EXPECT_TRUE(tasks[2]->AwaitStart());
  EXPECT_EQ(scheduler.load().queued, 1);
}

TEST(TenantsTest, WhatIsOverTheQuotaOfTheQueueIsRefused) {
  Scheduler scheduler({.max_workers = 100});
  const TenantPointer tenant = MakeTenant("a", {.max_live = 1, .max_queued = 1});
  const Fakes tasks = Flood(scheduler, tenant, 3);
  const absl::Status refused = tasks[2]->AwaitDrop();
  EXPECT_TRUE(absl::IsResourceExhausted(refused));
  EXPECT_EQ(ReasonOf(refused), "QUEUE_QUOTA");
  EXPECT_EQ(scheduler.load().queued, 1);
  tasks[0]->LetGo();
  EXPECT_TRUE(tasks[1]->AwaitStart());
}

TEST(TenantsTest, WithoutAPlaceToWaitWhatCannotBeginIsRefused) {
  Scheduler scheduler({.max_workers = 100});
  const TenantPointer tenant = MakeTenant("a", {.max_live = 1, .max_queued = 0});
  const Fakes tasks = Flood(scheduler, tenant, 2);
  EXPECT_TRUE(tasks[0]->AwaitStart());
  EXPECT_EQ(ReasonOf(tasks[1]->AwaitDrop()), "QUEUE_QUOTA");
}

TEST(TenantsTest, BatchWorkLeavesThreeTasksOfFourInAQuota) {
  Scheduler scheduler({.max_workers = 100});
  const TenantPointer tenant = MakeTenant("a", {.max_live = 4, .max_queued = 4});
  const Fakes batch = Flood(scheduler, tenant, 10, Priority::kBatch);
  EXPECT_EQ(scheduler.load().live, 3);
  EXPECT_EQ(scheduler.load().queued, 3);
  EXPECT_TRUE(SubmitFor(scheduler, tenant)->AwaitStart());
  EXPECT_EQ(SubmitFor(scheduler, tenant)->place(), 1);
}

TEST(TenantsTest, AQuotaIsThatOfTheLastTask) {
  Scheduler scheduler({.max_workers = 100});
  const Fakes before = Flood(scheduler, MakeTenant("a", {.max_live = 1}), 3);
  EXPECT_EQ(scheduler.load().live, 1);
  const auto after = SubmitFor(scheduler, MakeTenant("a", {.max_live = 3}));
  EXPECT_TRUE(before[2]->AwaitStart());
  EXPECT_EQ(after->place(), 1);
}

TEST(TenantsTest, ShutdownDropsWhatWaitsOfAll) {
  Scheduler scheduler({.max_workers = 1});
  const auto running = SubmitFor(scheduler, MakeTenant("a"));
  const auto waiting = SubmitFor(scheduler, MakeTenant("a"));
  const auto batch = SubmitFor(scheduler, MakeTenant("b"), Priority::kBatch);
  scheduler.Shutdown();
  EXPECT_TRUE(absl::IsUnavailable(waiting->AwaitDrop()));
  EXPECT_TRUE(absl::IsUnavailable(batch->AwaitDrop()));
  EXPECT_EQ(scheduler.load().queued, 0);
}

}  // namespace
}  // namespace kibitz::server
