// Counts, by whole servers without sockets.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

#include "grpcpp/grpcpp.h"
#include "kibitz/v1/analysis.grpc.pb.h"
#include "tests/server/error_details.h"
#include "tests/server/server_fixture.h"
#include "tests/support/requests.h"

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::system_clock;

class PerftTaskTest : public ServerFixture {};

TEST_F(PerftTaskTest, CountsAndDivides) {
  Start({.workers = 2});
  for (const int hash_mb : {0, 1}) {
    PerftCall call;
    call.reader = stub_->Perft(&call.context, PerftOf(4, 2, hash_mb));
    const std::vector<v1::PerftResponse> responses = call.ReadAll();
    ASSERT_TRUE(call.status.ok()) << call.status.error_message();
    ASSERT_EQ(responses.size(), 21u);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i + 1 < responses.size(); ++i) {
      ASSERT_TRUE(responses[i].has_divide());
      sum += responses[i].divide().nodes();
    }
    EXPECT_EQ(responses.back().total().nodes(), 197'281u);
    EXPECT_EQ(sum, 197'281u);
  }
}

// So few positions that the hash soon knows them all, but more than 2^64 paths.
TEST_F(PerftTaskTest, SaysThatACountIsTooLarge) {
  Start({.workers = 1, .max_perft_nodes = std::numeric_limits<std::uint64_t>::max()});
  v1::PerftRequest request = PerftOf(20, 1, 256);
  request.mutable_position()->set_fen("8/8/8/4k3/8/8/8/R3K3 w - - 0 1");
  PerftCall call;
  call.context.set_deadline(system_clock::now() + 8 * kPatience);  // a second, but not under a sanitizer
  call.reader = stub_->Perft(&call.context, request);
  call.ReadAll();
  EXPECT_EQ(call.status.error_code(), grpc::StatusCode::OUT_OF_RANGE);
  EXPECT_EQ(DetailsOf(call.status).reason, "COUNT_TOO_LARGE");
}

TEST_F(PerftTaskTest, EndsWhatCountsMoreThanIsAllowed) {
  Start({.workers = 1, .max_perft_nodes = 1'000'000});
  PerftCall call;
  call.reader = stub_->Perft(&call.context, PerftOf(20, 1, 0));
  call.ReadAll();
  EXPECT_EQ(call.status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(DetailsOf(call.status).reason, "PERFT_NODE_CAP");
}

TEST_F(PerftTaskTest, EndsWhatTakesLongerThanIsAllowed) {
  Start({.workers = 1, .max_perft_time = std::chrono::milliseconds(50)});
  PerftCall call;
  call.reader = stub_->Perft(&call.context, PerftOf(20, 1, 0));
  call.ReadAll();
  EXPECT_EQ(call.status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_EQ(DetailsOf(call.status).reason, "PERFT_TIME_CAP");
  AwaitLoad(0, 0);
}

TEST_F(PerftTaskTest, CancelStopsACountAndFreesTheWorker) {
  Start();
  PerftCall call;
  call.reader = stub_->Perft(&call.context, EndlessPerft());
  AwaitLoad(1, 0);
  call.context.TryCancel();
  EXPECT_LT(AwaitLoad(0, 0), milliseconds(500));
  call.ReadAll();
  EXPECT_EQ(call.status.error_code(), grpc::StatusCode::CANCELLED);
}

TEST_F(PerftTaskTest, DeadlineStopsACount) {
  Start();
  PerftCall call;
  call.context.set_deadline(system_clock::now() + milliseconds(200));
  call.reader = stub_->Perft(&call.context, EndlessPerft());
  call.ReadAll();
  EXPECT_EQ(call.status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  AwaitLoad(0, 0);
}

TEST_F(PerftTaskTest, SharesTheHashBudget) {
  Start({.workers = 2, .perft_hash_mb = 16});
  PerftCall first;
  v1::PerftRequest request = EndlessPerft();
  request.set_hash_mb(10);
  first.reader = stub_->Perft(&first.context, request);
  AwaitLoad(1, 0);
  PerftCall second;
  second.reader = stub_->Perft(&second.context, PerftOf(2, 1, 7));
  second.ReadAll();
  EXPECT_EQ(second.status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(DetailsOf(second.status).reason, "PERFT_HASH_EXHAUSTED");
  EXPECT_GT(DetailsOf(second.status).retry_seconds.value_or(0), 0);

  first.context.TryCancel();
  AwaitLoad(0, 0);
  PerftCall third;
  third.reader = stub_->Perft(&third.context, PerftOf(2, 1, 16));
  third.ReadAll();
  EXPECT_TRUE(third.status.ok()) << third.status.error_message();
}

}  // namespace
}  // namespace kibitz::server
