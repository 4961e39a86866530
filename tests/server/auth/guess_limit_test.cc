#include "server/auth/guess_limit.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "absl/strings/str_cat.h"

namespace kibitz::server {
namespace {

using std::chrono::seconds;

constexpr GuessLimit::Bounds kBounds{.guesses = 3, .period = seconds(60), .places = 2};

class GuessLimitTest : public ::testing::Test {
 protected:
  void Count(const std::string& place, int times) {
    for (int i = 0; i < times; ++i) limit_.Count(place, now_);
  }
  std::int64_t WaitSeconds(const std::string& place) const {
    return std::chrono::ceil<seconds>(limit_.Wait(place, now_)).count();
  }

  GuessLimit::Clock::time_point now_{seconds(1000)};
  GuessLimit limit_{kBounds};
};

TEST_F(GuessLimitTest, SomeAreAllowed) {
  EXPECT_EQ(WaitSeconds("a"), 0);
  Count("a", 2);
  EXPECT_EQ(WaitSeconds("a"), 0);
}

TEST_F(GuessLimitTest, WhoeverWaitsSoLongIsHeardAgain) {
  Count("a", 3);
  now_ += seconds(10);
  EXPECT_EQ(WaitSeconds("a"), 50);
  now_ += limit_.Wait("a", now_) - std::chrono::nanoseconds(1);
  EXPECT_GT(limit_.Wait("a", now_).count(), 0);
  now_ += std::chrono::nanoseconds(1);
  EXPECT_EQ(WaitSeconds("a"), 0);
  Count("a", 2);
  EXPECT_EQ(WaitSeconds("a"), 0);
}

TEST_F(GuessLimitTest, OtherPlacesAreNotConcerned) {
  Count("a", 100);
  EXPECT_EQ(WaitSeconds("b"), 0);
}

TEST_F(GuessLimitTest, PlacesWithoutRoomAreTakenForOne) {
  Count("a", 1);
  Count("b", 1);
  for (int i = 0; i < 3; ++i) Count(absl::StrCat("other ", i), 1);
  EXPECT_EQ(WaitSeconds("somebody else"), 60);
  EXPECT_EQ(WaitSeconds("a"), 0);
}

TEST_F(GuessLimitTest, OldPlacesMakeRoom) {
  Count("a", 1);
  Count("b", 1);
  now_ += seconds(60);
  Count("c", 3);
  EXPECT_EQ(WaitSeconds("c"), 60);
  EXPECT_EQ(WaitSeconds("d"), 0);
}

TEST_F(GuessLimitTest, APlaceIsAnAddressOrHalfOfOne) {
  EXPECT_EQ(GuessLimit::PlaceOf("ipv4:127.0.0.1:51234"), "ipv4:127.0.0.1");
  EXPECT_EQ(GuessLimit::PlaceOf("ipv6:%5B::1%5D:51234"), "ipv6:::/64");
  EXPECT_EQ(GuessLimit::PlaceOf("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:1"), "ipv6:2001:db8:1:2::/64");
  EXPECT_EQ(GuessLimit::PlaceOf("ipv6:%5B2001:db8:1:2::9%5D:2"), "ipv6:2001:db8:1:2::/64");
  EXPECT_EQ(GuessLimit::PlaceOf("inproc"), "inproc");
  EXPECT_EQ(GuessLimit::PlaceOf(""), "");
}

}  // namespace
}  // namespace kibitz::server
