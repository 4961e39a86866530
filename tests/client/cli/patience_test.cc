#include "client/cli/patience.h"

#include <gtest/gtest.h>

#include <stop_token>

#include "absl/time/clock.h"
#include "client/readable_status.h"

namespace kibitz::client {
namespace {

absl::Status Full(absl::Duration retry) {
  v1::AnalyzeSessionResponse::Refused refused;
  refused.set_code(static_cast<int>(absl::StatusCode::kResourceExhausted));
  refused.set_description("full");
  refused.mutable_retry_delay()->set_nanos(static_cast<int>(absl::ToInt64Nanoseconds(retry)));
  return ReadableRefusal(refused);
}

TEST(PatienceTest, ComesBackWhenItWasTold) {
  int runs = 0;
  const absl::Time start = absl::Now();
  const auto run = [&] { return ++runs < 3 ? Full(absl::Milliseconds(150)) : absl::OkStatus(); };
  EXPECT_TRUE(RunPatiently(absl::Seconds(60), {}, run).ok());
  EXPECT_EQ(runs, 3);
  EXPECT_GE(absl::Now() - start, absl::Milliseconds(300));
}

TEST(PatienceTest, HasAnEnd) {
  int runs = 0;
  const auto run = [&] {
    ++runs;
    return Full(absl::Milliseconds(500));
  };
  EXPECT_TRUE(absl::IsResourceExhausted(RunPatiently(absl::ZeroDuration(), {}, run)));
  EXPECT_EQ(runs, 1);
  EXPECT_TRUE(absl::IsResourceExhausted(RunPatiently(absl::Milliseconds(400), {}, run)));
  EXPECT_EQ(runs, 2);
}

TEST(PatienceTest, DoesNotRepeatWhatWouldFailAgain) {
  int runs = 0;
  const auto run = [&] {
    ++runs;
    return absl::InvalidArgumentError("bad");
  };
  EXPECT_TRUE(absl::IsInvalidArgument(RunPatiently(absl::Seconds(60), {}, run)));
  EXPECT_EQ(runs, 1);
}

TEST(PatienceTest, EndsAtAStop) {
  std::stop_source stop;
  int runs = 0;
  const auto run = [&] {
    if (++runs == 2) stop.request_stop();
    return Full(absl::Milliseconds(100));
  };
  EXPECT_FALSE(RunPatiently(absl::Hours(1), stop.get_token(), run).ok());
  EXPECT_EQ(runs, 2);
}

}  // namespace
}  // namespace kibitz::client
