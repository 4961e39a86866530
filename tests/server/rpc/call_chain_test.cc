#include "server/rpc/call_chain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "server/errors/errors.h"
#include "server/rpc/call_bounds.h"
#include "server/rpc/request_ids.h"
#include "tests/server/rpc/fake_call.h"

namespace kibitz::server {
namespace {

using ::testing::ElementsAre;
using ::testing::MatchesRegex;

class NotedStep final : public CallStep {
 public:
  NotedStep(std::vector<std::string>& notes, std::string name, bool refuses = false)
      : notes_(notes), name_(std::move(name)), refuses_(refuses) {}
  absl::Status Enter(Call& /*call*/) override {
    notes_.push_back("enter " + name_);
    return refuses_ ? absl::UnauthenticatedError("who are you?") : absl::OkStatus();
  }
  void Leave(const Call& /*call*/) override { notes_.push_back("leave " + name_); }

 private:
  std::vector<std::string>& notes_;
  const std::string name_;
  const bool refuses_;
};

TEST(CallChainTest, EntersInOrderAndLeavesInReverse) {
  std::vector<std::string> notes;
  CallChain chain;
  chain.Add(std::make_unique<NotedStep>(notes, "one"));
  chain.Add(std::make_unique<NotedStep>(notes, "two"));
  FakeCall call;
  EXPECT_TRUE(chain.Enter(call).ok());
  chain.Leave(call);
  EXPECT_THAT(notes, ElementsAre("enter one", "enter two", "leave two", "leave one"));
}

TEST(CallChainTest, ARefusalLeavesTheStepsBeforeIt) {
  std::vector<std::string> notes;
  CallChain chain;
  chain.Add(std::make_unique<NotedStep>(notes, "one"));
  chain.Add(std::make_unique<NotedStep>(notes, "two", /*refuses=*/true));
  chain.Add(std::make_unique<NotedStep>(notes, "three"));
  FakeCall call;
  EXPECT_TRUE(absl::IsUnauthenticated(chain.Enter(call)));
  EXPECT_THAT(notes, ElementsAre("enter one", "enter two", "leave one"));
}

TEST(RequestIdsTest, TakesAReasonableNameOfTheClient) {
  RequestIds ids;
  FakeCall call;
  call.sent["x-request-id"] = "4bf92f35-77b3.A_b:c/d+e=";
  EXPECT_TRUE(ids.Enter(call).ok());
  EXPECT_EQ(call.request_id(), "4bf92f35-77b3.A_b:c/d+e=");
}

TEST(RequestIdsTest, MakesANameWhereThereIsNoReasonableOne) {
  RequestIds ids;
  std::string last;
  for (const std::string& sent : {std::string(), std::string("two words"), std::string("line\nbreak"),
                                  std::string(65, 'a'), std::string("\x1b[31m")}) {
    FakeCall call;
    call.sent["x-request-id"] = sent;
    EXPECT_TRUE(ids.Enter(call).ok());
    EXPECT_THAT(call.request_id(), MatchesRegex("[0-9a-f]{8}-[0-9a-f]{8}"));
    EXPECT_NE(call.request_id(), last);
    last = call.request_id();
  }
}

TEST(CallBoundsTest, BoundsTheCallsOfAConnection) {
  CallBounds bounds({.max_calls = 100, .max_calls_per_connection = 2, .max_metadata_bytes = 10});
  Connection one(0);
  Connection two(0);
  FakeCall call;
  call.on = &one;
  EXPECT_TRUE(bounds.Enter(call).ok());
  EXPECT_TRUE(bounds.Enter(call).ok());
  EXPECT_EQ(ReasonOf(bounds.Enter(call)), "TOO_MANY_STREAMS");
  call.on = &two;
  EXPECT_TRUE(bounds.Enter(call).ok());
  call.on = &one;
  bounds.Leave(call);
  EXPECT_TRUE(bounds.Enter(call).ok());
}

TEST(CallBoundsTest, BoundsAllCalls) {
  CallBounds bounds({.max_calls = 1, .max_calls_per_connection = 2, .max_metadata_bytes = 10});
  FakeCall call;
  EXPECT_TRUE(bounds.Enter(call).ok());
  EXPECT_EQ(ReasonOf(bounds.Enter(call)), "TOO_MANY_CALLS");
  bounds.Leave(call);
  EXPECT_TRUE(bounds.Enter(call).ok());
}

TEST(CallBoundsTest, BoundsTheMetadata) {
  CallBounds bounds({.max_calls = 1, .max_calls_per_connection = 2, .max_metadata_bytes = 10});
  FakeCall call;
  call.bytes = 11;
  EXPECT_EQ(ReasonOf(bounds.Enter(call)), "METADATA_TOO_LARGE");
  call.bytes = 10;
  EXPECT_TRUE(bounds.Enter(call).ok());
}

}  // namespace
}  // namespace kibitz::server
