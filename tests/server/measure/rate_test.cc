#include "server/measure/rate.h"

#include <gtest/gtest.h>

namespace kibitz::server {
namespace {

using std::chrono::seconds;

TEST(RateTest, IsNothingBeforeTheSecondSample) {
  Rate rate;
  EXPECT_EQ(rate.per_second(), 0);
  rate.Sample(1000, Rate::Time());
  EXPECT_EQ(rate.per_second(), 0);
}

TEST(RateTest, LooksBackThreeSamples) {
  Rate rate;
  const Rate::Time start;
  for (const int second : {0, 1, 2, 3}) rate.Sample(100 * second, start + seconds(second));
  EXPECT_DOUBLE_EQ(rate.per_second(), 100);
  // From then on nothing is done.
  for (const int second : {4, 5}) rate.Sample(300, start + seconds(second));
  EXPECT_DOUBLE_EQ(rate.per_second(), 100 / 3.0);
  rate.Sample(300, start + seconds(6));
  EXPECT_DOUBLE_EQ(rate.per_second(), 0);
}

TEST(RateTest, TwoSamplesAtOnceAreNoRate) {
  Rate rate;
  rate.Sample(1, Rate::Time());
  rate.Sample(2, Rate::Time());
  EXPECT_EQ(rate.per_second(), 0);
}

}  // namespace
}  // namespace kibitz::server
