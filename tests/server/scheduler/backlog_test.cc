#include "server/scheduler/backlog.h"

#include <gtest/gtest.h>

#include <chrono>

namespace kibitz::server {
namespace {

using std::chrono::seconds;

constexpr Backlog::Time kNow{seconds(1000)};

TEST(BacklogTest, WithoutWorkAheadItIsNow) {
  const Backlog backlog;
  EXPECT_EQ(backlog.EarliestBegin(kNow, 0, 1), kNow);
  EXPECT_EQ(backlog.EarliestBegin(kNow, 1, 1000), kNow);
}

TEST(BacklogTest, OneAfterTheOtherItIsTheSum) {
  Backlog backlog;
  backlog.Begin(kNow + seconds(3));
  backlog.Enqueue(0, seconds(5));
  backlog.Enqueue(0, seconds(7));
  EXPECT_EQ(backlog.EarliestBegin(kNow, 0, 1), kNow + seconds(15));
  EXPECT_EQ(backlog.EarliestBegin(kNow + seconds(2), 0, 1), kNow + seconds(15));
  backlog.Dequeue(0, seconds(5));
  EXPECT_EQ(backlog.EarliestBegin(kNow, 0, 1), kNow + seconds(10));
  backlog.End(kNow + seconds(3));
  EXPECT_EQ(backlog.EarliestBegin(kNow, 0, 1), kNow + seconds(7));
}

TEST(BacklogTest, QueuesDoNotWaitForEachOther) {
  Backlog backlog;
  backlog.Enqueue(0, seconds(5));
  EXPECT_EQ(backlog.EarliestBegin(kNow, 1, 1), kNow);
}

// Ten tasks of six seconds, two at a time: the last begins after 24 seconds, the next after 30. No more is said than
// what is sure whatever their order.
TEST(BacklogTest, WithSeveralAtATimeItIsNeverTooLate) {
  Backlog backlog;
  for (int i = 0; i < 2; ++i) backlog.Begin(kNow + seconds(6));
  for (int i = 0; i < 8; ++i) backlog.Enqueue(0, seconds(6));
  EXPECT_EQ(backlog.EarliestBegin(kNow, 0, 2), kNow + seconds(27));
}

TEST(BacklogTest, WhatRunsLongerThanItWouldDoesNotCount) {
  Backlog backlog;
  backlog.Begin(kNow);
  EXPECT_EQ(backlog.EarliestBegin(kNow + seconds(100), 0, 1), kNow + seconds(100));
}

}  // namespace
}  // namespace kibitz::server
