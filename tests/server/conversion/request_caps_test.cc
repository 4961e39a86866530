#include "server/conversion/request_caps.h"

#include <gtest/gtest.h>

#include <chrono>

#include "server/conversion/analysis.h"
#include "server/conversion/perft.h"
#include "server/errors/errors.h"

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;

constexpr RequestCaps kServer{.max_threads = 8, .max_search_time = std::chrono::minutes(1)};

TEST(RequestCapsTest, WithoutAQuotaTheServersHold) {
  const RequestCaps caps = CapsWithin(kServer, Quota());
  EXPECT_EQ(caps.max_depth, kMaxSearchDepth);
  EXPECT_EQ(caps.max_threads, 8);
  EXPECT_EQ(caps.max_search_time, kServer.max_search_time);
  EXPECT_EQ(caps.max_perft_time, kServer.max_perft_time);
}

TEST(RequestCapsTest, AQuotaLowersThem) {
  const RequestCaps caps =
      CapsWithin(kServer, {.max_depth = 20, .max_search_time = milliseconds(500), .max_threads = 2, .max_multi_pv = 3});
  EXPECT_EQ(caps.max_depth, 20);
  EXPECT_EQ(caps.max_threads, 2);
  EXPECT_EQ(caps.max_multi_pv, 3);
  EXPECT_EQ(caps.max_search_time, milliseconds(500));
  EXPECT_EQ(caps.max_perft_time, milliseconds(500));
}

TEST(RequestCapsTest, AQuotaDoesNotLiftThem) {
  const RequestCaps caps =
      CapsWithin(kServer, {.max_depth = 1000, .max_search_time = std::chrono::hours(24), .max_threads = 1024});
  EXPECT_EQ(caps.max_depth, kMaxSearchDepth);
  EXPECT_EQ(caps.max_threads, 8);
  EXPECT_EQ(caps.max_search_time, kServer.max_search_time);
}

TEST(RequestCapsTest, ADepthBeyondTheCapIsRefused) {
  v1::AnalyzeRequest request;
  request.mutable_limits()->set_depth(21);
  const absl::Status status = ParseAnalyze(request, {.max_depth = 20}).status();
  EXPECT_EQ(FaultOf(status).field, "limits.depth");
  EXPECT_EQ(ReasonOf(status), "OUT_OF_RANGE");
}

TEST(RequestCapsTest, ASearchWithoutADepthEndsAtTheCap) {
  v1::AnalyzeRequest request;
  request.mutable_limits()->set_infinite(true);
  EXPECT_EQ(ParseAnalyze(request, {.max_depth = 20})->request.limits.depth, 20);
  EXPECT_EQ(ParseAnalyze(request, {})->request.limits.depth, std::nullopt);
  request.mutable_limits()->set_depth(7);
  EXPECT_EQ(ParseAnalyze(request, {.max_depth = 20})->request.limits.depth, 7);
}

TEST(RequestCapsTest, ACountOfAllThreadsHasThoseOfTheCap) {
  v1::PerftRequest request;
  request.set_depth(3);
  EXPECT_EQ(ParsePerft(request, {.max_threads = 2})->threads, 2);
}

}  // namespace
}  // namespace kibitz::server
