#include "server/auth/guess_limit.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

namespace kibitz::server {
namespace {

using std::chrono::seconds;

constexpr GuessLimit::Bounds kBounds{.guesses = 3, .period = seconds(60), .places = 2};

class GuessLimitTest : public ::testing::Test {
 protected:
  // Places are named by their last byte.
  static IpAddress At(char place) {
    return {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, static_cast<std::uint8_t>(place)};
  }
  void Count(char place, int times) {
    for (int i = 0; i < times; ++i) limit_.Count(At(place), now_);
  }
  std::int64_t WaitSeconds(char place) const {
    return std::chrono::ceil<seconds>(limit_.Wait(At(place), now_)).count();
  }

  GuessLimit::Clock::time_point now_{seconds(1000)};
  GuessLimit limit_{kBounds};
};

TEST_F(GuessLimitTest, SomeAreAllowed) {
  EXPECT_EQ(WaitSeconds('a'), 0);
  Count('a', 2);
  EXPECT_EQ(WaitSeconds('a'), 0);
}

TEST_F(GuessLimitTest, WhoeverWaitsSoLongIsHeardAgain) {
  Count('a', 3);
  now_ += seconds(10);
  EXPECT_EQ(WaitSeconds('a'), 50);
  now_ += limit_.Wait(At('a'), now_) - std::chrono::nanoseconds(1);
  EXPECT_GT(limit_.Wait(At('a'), now_).count(), 0);
  now_ += std::chrono::nanoseconds(1);
  EXPECT_EQ(WaitSeconds('a'), 0);
  Count('a', 2);
  EXPECT_EQ(WaitSeconds('a'), 0);
}

TEST_F(GuessLimitTest, OtherPlacesAreNotConcerned) {
  Count('a', 100);
  EXPECT_EQ(WaitSeconds('b'), 0);
}

TEST_F(GuessLimitTest, PlacesWithoutRoomAreTakenForOne) {
  Count('a', 1);
  Count('b', 1);
  for (const char other : {'x', 'y', 'z'}) Count(other, 1);
  EXPECT_EQ(WaitSeconds('w'), 60);
  EXPECT_EQ(WaitSeconds('a'), 0);
}

TEST_F(GuessLimitTest, OldPlacesMakeRoom) {
  Count('a', 1);
  Count('b', 1);
  now_ += seconds(60);
  Count('c', 3);
  EXPECT_EQ(WaitSeconds('c'), 60);
  EXPECT_EQ(WaitSeconds('d'), 0);
}

}  // namespace
}  // namespace kibitz::server
