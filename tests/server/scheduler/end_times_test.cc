#include "server/scheduler/end_times.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>

namespace kibitz::server {
namespace {

using std::chrono::seconds;

constexpr EndTimes::Time kNow{seconds(1000)};

TEST(EndTimesTest, NothingIsKnownOfNobody) {
  EndTimes ends;
  EXPECT_EQ(ends.Promise(kNow), std::nullopt);
  EndTimes::Entry endless;
  ends.Set(endless, EndTimes::Time::max());
  EXPECT_EQ(ends.Promise(kNow), std::nullopt);
}

TEST(EndTimesTest, EveryoneIsToldOfAnotherPlaceAndThenOfTheFirst) {
  EndTimes ends;
  EndTimes::Entry one, two, endless;
  ends.Set(two, kNow + seconds(2));
  ends.Set(one, kNow + seconds(1));
  ends.Set(endless, EndTimes::Time::max());
  EXPECT_EQ(ends.Promise(kNow), kNow + seconds(1));
  EXPECT_EQ(ends.Promise(kNow), kNow + seconds(2));
  EXPECT_EQ(ends.Promise(kNow), kNow + seconds(1));
}

TEST(EndTimesTest, WhatIsOverduePromisesNothing) {
  EndTimes ends;
  EndTimes::Entry overdue;
  ends.Set(overdue, kNow);
  EXPECT_EQ(ends.Promise(kNow), std::nullopt);
}

TEST(EndTimesTest, AnEndMayChangeAndGo) {
  EndTimes ends;
  EndTimes::Entry entry;
  ends.Set(entry, kNow + seconds(9));
  ends.Set(entry, kNow + seconds(3));
  EXPECT_EQ(ends.Promise(kNow), kNow + seconds(3));
  ends.Remove(entry);
  ends.Remove(entry);
  EXPECT_EQ(ends.Promise(kNow), std::nullopt);
  ends.Set(entry, kNow + seconds(4));
  EXPECT_EQ(ends.Promise(kNow), kNow + seconds(4));
}

}  // namespace
}  // namespace kibitz::server
