#include "server/quota/node_quotas.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "server/rpc/grpc_status.h"
#include "tests/server/error_details.h"

namespace kibitz::server {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr std::int64_t kPerMinute = 48'000;  // 800 a second, 6,000 an eighth

class NodeQuotasTest : public ::testing::Test {
 protected:
  std::shared_ptr<NodeMeter> Begin() {
    const auto meter = quotas_.Begin(tenant_);
    return meter.ok() ? *meter : nullptr;
  }
  // How long whoever asks now is told to wait; zero if it need not.
  nanoseconds Wait() {
    const auto meter = quotas_.Begin(tenant_);
    if (meter.ok()) return nanoseconds(0);
    const double seconds = *DetailsOf(ToGrpcStatus(meter.status())).retry_seconds;
    return duration_cast<nanoseconds>(std::chrono::duration<double>(seconds));
  }

  NodeBucket::Time now_{seconds(1000)};
  NodeQuotas quotas_{[this] { return now_; }};
  Tenant tenant_{.name = "site", .quota = {.nodes_per_minute = kPerMinute}};
};

TEST_F(NodeQuotasTest, WithoutAQuotaNothingIsCounted) {
  const auto meter = quotas_.Begin(Tenant{.name = "free"});
  ASSERT_TRUE(meter.ok());
  EXPECT_EQ(*meter, nullptr);
}

TEST_F(NodeQuotasTest, AMinutesWorthIsThereAtOnce) {
  const auto meter = Begin();
  EXPECT_TRUE(meter->Charge(kPerMinute - 1));
  EXPECT_EQ(Wait(), nanoseconds(0));
  EXPECT_TRUE(meter->Charge(1));
  EXPECT_GT(Wait(), nanoseconds(0));
}

TEST_F(NodeQuotasTest, TheRefusalSaysWhoseQuotaItIs) {
  Begin()->Charge(kPerMinute);
  const grpc::Status status = ToGrpcStatus(quotas_.Begin(tenant_).status());
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(DetailsOf(status).reason, "NODES_EXHAUSTED");
  EXPECT_EQ(DetailsOf(status).quota_subject, "tenant:site");
  EXPECT_EQ(DetailsOf(status).retry_seconds, 15.0);
}

TEST_F(NodeQuotasTest, WhoWaitsExactlySoLongGetsInAndNobodySooner) {
  Begin()->Charge(kPerMinute);
  const nanoseconds wait = Wait();
  now_ += wait - nanoseconds(1);
  EXPECT_EQ(Wait(), nanoseconds(1));
  now_ += nanoseconds(1);
  EXPECT_NE(Begin(), nullptr);
}

TEST_F(NodeQuotasTest, AllWhoWereToldGetInWhateverTheOthersDo) {
  const auto running = Begin();
  running->Charge(kPerMinute);
  std::vector<NodeBucket::Time> told;
  for (int i = 0; i < 100; ++i) {
    now_ += milliseconds(100);
    running->Charge(100);  // it goes on meanwhile, and does not stop when it should
    told.push_back(now_ + Wait());
  }
  for (const NodeBucket::Time time : told) {
    now_ = std::max(time, now_ + milliseconds(5));
    const auto meter = Begin();
    ASSERT_NE(meter, nullptr);
    meter->Charge(kPerMinute);
  }
}

TEST_F(NodeQuotasTest, WhatRunsMayTakeAnEighthMoreAndIsThenStopped) {
  const auto first = Begin(), second = Begin();
  EXPECT_TRUE(first->Charge(kPerMinute));
  EXPECT_TRUE(first->Charge(3000));
  EXPECT_TRUE(second->Charge(3000));
  EXPECT_FALSE(second->Charge(1));
  EXPECT_FALSE(first->Charge(1));
}

TEST_F(NodeQuotasTest, WhatWasSettledCountsAsItWas) {
  const auto meter = Begin();
  meter->Charge(kPerMinute - 100);
  meter->Settle(1000);
  EXPECT_TRUE(meter->Charge(kPerMinute));  // too late: not counted
  const auto next = Begin();
  EXPECT_TRUE(next->Charge(kPerMinute - 1001));
  EXPECT_EQ(Wait(), nanoseconds(0));
  next->Settle(kPerMinute - 1000);
  EXPECT_GT(Wait(), nanoseconds(0));
}

TEST_F(NodeQuotasTest, NobodyGetsMoreThanItsRateInTheLongRun) {
  std::int64_t used = 0;
  const NodeBucket::Time end = now_ + std::chrono::minutes(60);
  while (now_ < end) {
    if (const auto meter = Begin()) {
      // As fast as it can until it is stopped.
      bool goes_on = true;
      for (int i = 0; i < 1000 && goes_on; ++i) {
        used += 100;
        goes_on = meter->Charge(100);
        now_ += milliseconds(1);
      }
    } else {
      now_ += Wait();
    }
  }
  EXPECT_LE(used, kPerMinute * 63);
  EXPECT_GE(used, kPerMinute * 57);
}

TEST_F(NodeQuotasTest, TenantsDoNotShareABucket) {
  Begin()->Charge(kPerMinute);
  EXPECT_TRUE(quotas_.Begin(Tenant{.name = "other", .quota = tenant_.quota}).ok());
}

TEST_F(NodeQuotasTest, ANewQuotaHoldsFromThenOn) {
  Begin()->Charge(kPerMinute / 2);
  tenant_.quota.nodes_per_minute = 1000;
  const auto meter = Begin();
  ASSERT_NE(meter, nullptr);
  EXPECT_TRUE(meter->Charge(1000));
  EXPECT_GT(Wait(), nanoseconds(0));
  tenant_.quota.nodes_per_minute.reset();
  EXPECT_EQ(Begin(), nullptr);
  EXPECT_EQ(Wait(), nanoseconds(0));
}

TEST_F(NodeQuotasTest, ManyTenantsComeAndGo) {
  for (int i = 0; i < 5000; ++i) {
    const auto meter = quotas_.Begin(Tenant{.name = std::to_string(i), .quota = tenant_.quota});
    ASSERT_TRUE(meter.ok());
    (*meter)->Charge(10);
    now_ += seconds(1);
  }
}

}  // namespace
}  // namespace kibitz::server
