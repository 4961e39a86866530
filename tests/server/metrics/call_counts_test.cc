#include "server/metrics/call_counts.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/server/rpc/fake_call.h"

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;

class CallCountsTest : public ::testing::Test {
 protected:
  CallCounts::OfMethod Of(const std::string& method) {
    for (const auto& counts : counts_.counts()) {
      if (counts.method == method) return counts;
    }
    ADD_FAILURE() << "no method " << method;
    return {};
  }

  FakeCall call_;
  Ledger ledger_;
  CallCounts counts_{{{std::string(call_.method()), Method()}}, ledger_};
};

TEST_F(CallCountsTest, CountsByMethodAndCode) {
  counts_.Record(call_, {.code = absl::StatusCode::kOk, .reason = "", .duration = milliseconds(2)});
  counts_.Record(call_, {.code = absl::StatusCode::kOk, .reason = "", .duration = milliseconds(2)});
  counts_.Record(call_, {.code = absl::StatusCode::kInvalidArgument, .reason = "INVALID_FEN", .duration = {}});
  const CallCounts::OfMethod counts = Of(std::string(call_.method()));
  EXPECT_EQ(counts.by_code.at(absl::StatusCode::kOk), 2);
  EXPECT_EQ(counts.by_code.at(absl::StatusCode::kInvalidArgument), 1);
  EXPECT_EQ(counts.by_code.size(), 2u);
  EXPECT_EQ(counts.durations.count(), 3u);
  EXPECT_EQ(counts.durations.sum, milliseconds(4));
}

TEST_F(CallCountsTest, CountsThoseThatAreOpen) {
  const std::unique_ptr<CallStep> step = counts_.MakeStep();
  EXPECT_TRUE(step->Enter(call_).ok());
  EXPECT_TRUE(step->Enter(call_).ok());
  EXPECT_EQ(Of(std::string(call_.method())).open, 2);
  step->Leave(call_);
  EXPECT_EQ(Of(std::string(call_.method())).open, 1);
}

TEST_F(CallCountsTest, MethodsThatCallersMakeUpAreOne) {
  for (const char* name : {"/no.such.Service/Method", "", "/kibitz.v1.AnalysisService/legalmoves"}) {
    call_.name = name;
    counts_.Record(call_, {.code = absl::StatusCode::kUnimplemented, .reason = "UNKNOWN_METHOD", .duration = {}});
  }
  EXPECT_EQ(counts_.counts().size(), 2u);
  EXPECT_EQ(Of(CallCounts::kUnknownMethod).by_code.at(absl::StatusCode::kUnimplemented), 3);
}

TEST_F(CallCountsTest, RefusalsGoToTheLedger) {
  call_.Identify(std::make_shared<const Tenant>(Tenant{.name = "club"}), Role::kAnalyse);
  counts_.Record(call_, {.code = absl::StatusCode::kResourceExhausted, .reason = "QUEUE_FULL", .duration = {}});
  // What is wrong with a request is no refusal, nor is what has no reason of ours.
  counts_.Record(call_, {.code = absl::StatusCode::kInvalidArgument, .reason = "INVALID_FEN", .duration = {}});
  counts_.Record(call_, {.code = absl::StatusCode::kDeadlineExceeded, .reason = "", .duration = {}});
  ASSERT_EQ(ledger_.entries().count("club"), 1u);
  const auto refusals = ledger_.entries().at("club").refusals;
  EXPECT_EQ(refusals.size(), 1u);
  EXPECT_EQ(refusals.at("QUEUE_FULL"), 1);
}

TEST_F(CallCountsTest, ACodeThatGrpcDoesNotKnowIsUnknown) {
  counts_.Record(call_, {.code = static_cast<absl::StatusCode>(1000), .reason = "", .duration = {}});
  EXPECT_EQ(Of(std::string(call_.method())).by_code.at(absl::StatusCode::kUnknown), 1);
}

}  // namespace
}  // namespace kibitz::server
