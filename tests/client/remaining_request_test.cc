#include "client/remaining_request.h"

#include "gtest/gtest.h"

namespace kibitz::client {
namespace {

TEST(RemainingRequestTest, TakesOffWhatWasUsed) {
  v1::AnalyzeRequest request;
  request.mutable_limits()->set_nodes(1'000'000);
  request.mutable_limits()->set_depth(20);
  request.mutable_limits()->mutable_movetime()->set_seconds(3);
  request.mutable_limits()->mutable_clock()->mutable_black_time()->set_seconds(60);
  const v1::Limits left = RemainingRequest(request, 400'000, absl::Milliseconds(1250)).limits();
  EXPECT_EQ(left.nodes(), 600'000);
  EXPECT_EQ(left.depth(), 20);
  EXPECT_EQ(left.movetime().seconds(), 1);
  EXPECT_EQ(left.movetime().nanos(), 750'000'000);
  EXPECT_EQ(left.clock().black_time().seconds(), 58);
  EXPECT_FALSE(left.clock().has_white_time());
  EXPECT_FALSE(left.has_mate());
}

TEST(RemainingRequestTest, LeavesALittle) {
  v1::AnalyzeRequest request;
  request.mutable_limits()->set_nodes(500);
  request.mutable_limits()->mutable_movetime()->set_seconds(1);
  const v1::Limits left = RemainingRequest(request, 1'000'000, absl::Seconds(10)).limits();
  EXPECT_EQ(left.nodes(), 500);
  EXPECT_EQ(left.movetime().seconds(), 0);
  EXPECT_EQ(left.movetime().nanos(), 10'000'000);
}

TEST(RemainingRequestTest, TellsLostServersFromThoseThatRefuse) {
  EXPECT_TRUE(IsServerLost(absl::UnavailableError("the connection was lost")));
  EXPECT_TRUE(IsServerLost(absl::UnknownError("No status received")));
  EXPECT_FALSE(IsServerLost(absl::CancelledError("")));
  EXPECT_FALSE(IsServerLost(absl::ResourceExhaustedError("")));
  EXPECT_FALSE(IsServerLost(absl::OkStatus()));
}

}  // namespace
}  // namespace kibitz::client
