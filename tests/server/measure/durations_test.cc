#include "server/measure/durations.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace kibitz::server {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

TEST(DurationsTest, ABoundBelongsToItsBucket) {
  Durations durations;
  durations.Add(nanoseconds(0));
  durations.Add(Durations::kBounds[0]);
  durations.Add(Durations::kBounds[0] + nanoseconds(1));
  durations.Add(hours(2));
  const Durations::Counts counts = durations.counts();
  EXPECT_EQ(counts.buckets.front(), 2u);
  EXPECT_EQ(counts.buckets[1], 1u);
  EXPECT_EQ(counts.buckets.back(), 1u);
  EXPECT_EQ(counts.count(), 4u);
  EXPECT_EQ(counts.sum, 2 * Durations::kBounds[0] + nanoseconds(1) + hours(2));
}

TEST(DurationsTest, BoundsRise) {
  for (std::size_t i = 1; i < Durations::kBounds.size(); ++i) {
    EXPECT_LT(Durations::kBounds[i - 1], Durations::kBounds[i]);
  }
}

TEST(DurationsTest, ManyThreadsLoseNothing) {
  Durations durations;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 10'000; ++j) durations.Add(milliseconds(j % 7));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(durations.counts().count(), 40'000u);
}

}  // namespace
}  // namespace kibitz::server
