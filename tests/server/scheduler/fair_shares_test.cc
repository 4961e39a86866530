#include "server/scheduler/fair_shares.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <vector>

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;
using Share = FairShares::Share;

constexpr milliseconds kSlice{10};

// Gives turns one after the other to those that always want another. How many each has had.
std::map<Share*, int> TakeTurns(FairShares& shares, const std::vector<Share*>& wanting, int turns) {
  std::map<Share*, int> had;
  for (int i = 0; i < turns; ++i) {
    for (Share* share : wanting) shares.Wait(*share);
    Share* const next = shares.Next();
    shares.Leave(*next);
    shares.Begin(*next, kSlice);
    shares.End(*next, milliseconds(0));
    ++had[next];
  }
  return had;
}

TEST(FairSharesTest, NobodyIsNextWhenNobodyWaits) {
  FairShares shares(1);
  Share one;
  EXPECT_EQ(shares.Next(), nullptr);
  shares.Wait(one);
  shares.Wait(one);
  EXPECT_EQ(shares.Next(), &one);
  shares.Leave(one);
  shares.Leave(one);
  EXPECT_EQ(shares.Next(), nullptr);
}

TEST(FairSharesTest, TurnsAreByWeight) {
  FairShares shares(1);
  Share one(1), three(3), six(6);
  const auto had = TakeTurns(shares, {&one, &three, &six}, 1000);
  EXPECT_NEAR(had.at(&one), 100, 5);
  EXPECT_NEAR(had.at(&three), 300, 5);
  EXPECT_NEAR(had.at(&six), 600, 5);
}

TEST(FairSharesTest, AWeightCountsFromWhenItIsSet) {
  FairShares shares(1);
  Share one, other;
  EXPECT_NEAR(TakeTurns(shares, {&one, &other}, 100).at(&one), 50, 1);
  other.set_weight(4);
  EXPECT_NEAR(TakeTurns(shares, {&one, &other}, 100).at(&one), 20, 1);
}

TEST(FairSharesTest, ATurnCountsForWhatItTook) {
  FairShares shares(1);
  Share quick, slow;
  int quick_turns = 0;
  for (int i = 0; i < 1000; ++i) {
    shares.Wait(quick);
    shares.Wait(slow);
    Share* const next = shares.Next();
    shares.Begin(*next, kSlice);
    if (next == &quick) {
      ++quick_turns;
      shares.End(quick, kSlice / 2);
    } else {
      shares.End(slow, -2 * kSlice);
    }
  }
  // Half a slice each, against three slices.
  EXPECT_NEAR(quick_turns, 1000 * 6 / 7, 5);
}

TEST(FairSharesTest, ATurnCountsWhileItLasts) {
  FairShares shares(2);
  Share one, other;
  shares.Wait(one);
  shares.Wait(other);
  Share* const first = shares.Next();
  shares.Begin(*first, kSlice);
  EXPECT_NE(shares.Next(), first);
  EXPECT_TRUE(shares.IsBehind(*shares.Next(), *first));
}

TEST(FairSharesTest, NobodyIsOwedForTheTimeInWhichItDidNotAsk) {
  FairShares shares(1);
  Share always, sometimes;
  TakeTurns(shares, {&always}, 10'000);
  shares.Wait(sometimes);
  EXPECT_EQ(shares.Next(), &sometimes);
  const auto credit_turns = static_cast<int>(FairShares::kMaxCredit / kSlice);
  EXPECT_NEAR(TakeTurns(shares, {&always, &sometimes}, 1000).at(&always), 500 - credit_turns / 2, 2);
}

// With two turns at a time and one worker it can have no more than half, however great its weight.
TEST(FairSharesTest, NobodyIsOwedWhatItCouldNotUse) {
  FairShares shares(2);
  Share heavy(10), light;
  for (int i = 0; i < 10'000; ++i) {
    shares.Wait(light);
    for (Share* share : {&heavy, &light}) {
      shares.Wait(*share);
      shares.Leave(*share);
      shares.Begin(*share, kSlice);
    }
  }
  // Now it has workers enough.
  EXPECT_NEAR(TakeTurns(shares, {&heavy, &light}, 1100).at(&light), 100, 5);
}

TEST(FairSharesTest, WhoComesAndGoesIsNotServedMoreThanOthers) {
  FairShares shares(1);
  Share always, coming;
  std::map<Share*, int> had;
  for (int i = 0; i < 1000; ++i) {
    for (Share* share : {&always, &coming}) shares.Wait(*share);
    Share* const next = shares.Next();
    shares.Leave(coming);
    shares.Begin(*next, kSlice);
    ++had[next];
  }
  EXPECT_NEAR(had[&coming], 500, 5);
}

}  // namespace
}  // namespace kibitz::server
