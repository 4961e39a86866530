#include "client/cli/quantity.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace kibitz::client {
namespace {

TEST(QuantityTest, GroupsDigitsByThree) {
  EXPECT_EQ(WithCommas(0), "0");
  EXPECT_EQ(WithCommas(999), "999");
  EXPECT_EQ(WithCommas(1000), "1,000");
  EXPECT_EQ(WithCommas(119060324), "119,060,324");
  EXPECT_EQ(WithCommas(std::numeric_limits<std::uint64_t>::max()), "18,446,744,073,709,551,615");
}

TEST(QuantityTest, RoundsNumbersToThreeDigits) {
  EXPECT_EQ(Rounded(0.0), "0");
  EXPECT_EQ(Rounded(950.0), "950");
  EXPECT_EQ(Rounded(999.7), "1.00 k");
  EXPECT_EQ(Rounded(12'345.0), "12.3 k");
  EXPECT_EQ(Rounded(654'321'000.0), "654 M");
  EXPECT_EQ(Rounded(999'700'000.0), "1.00 G");
  EXPECT_EQ(Rounded(1e18), "1000 P");
}

TEST(QuantityTest, RoundsDurationsToWhatIsRead) {
  EXPECT_EQ(Rounded(absl::ZeroDuration()), "0 us");
  EXPECT_EQ(Rounded(absl::Microseconds(182)), "182 us");
  EXPECT_EQ(Rounded(absl::Nanoseconds(999'700)), "1.00 ms");
  EXPECT_EQ(Rounded(absl::Microseconds(12'345)), "12.3 ms");
  EXPECT_EQ(Rounded(absl::Microseconds(999'700)), "1.00 s");
  EXPECT_EQ(Rounded(absl::Milliseconds(1234)), "1.23 s");
  EXPECT_EQ(Rounded(absl::Milliseconds(59'970)), "1 min 0 s");
  EXPECT_EQ(Rounded(absl::Seconds(125)), "2 min 5 s");
  EXPECT_EQ(Rounded(absl::Minutes(192)), "3 h 12 min");
  EXPECT_EQ(Rounded(absl::Hours(50)), "2 d 2 h");
}

TEST(QuantityTest, CarriesDurationsOverTheWireAndBack) {
  const absl::Duration duration = absl::Seconds(3) + absl::Nanoseconds(250'000'001);
  const google::protobuf::Duration proto = ToProto(duration);
  EXPECT_EQ(proto.seconds(), 3);
  EXPECT_EQ(proto.nanos(), 250'000'001);
  EXPECT_EQ(FromProto(proto), duration);
}

}  // namespace
}  // namespace kibitz::client
