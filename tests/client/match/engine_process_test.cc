#include "client/match/engine_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kibitz::client {
namespace {

using testing::ElementsAre;

TEST(EngineProcessTest, ReturnsLinesUpToTheLast) {
  const auto process = EngineProcess::Start({.words = {"/bin/cat"}});
  ASSERT_TRUE(process.ok()) << process.status();
  EXPECT_THAT(*(*process)->Ask("one\ntwo\nthree\nfour\n", "three"), ElementsAre("one", "two", "three"));
  EXPECT_THAT(*(*process)->Ask("five\n", "five"), ElementsAre("four", "five"));
}

TEST(EngineProcessTest, DoesNotWaitForever) {
  const auto process = EngineProcess::Start({.words = {"/bin/cat"}});
  ASSERT_TRUE(process.ok()) << process.status();
  const absl::Status status = (*process)->Ask("hello\n", "goodbye", absl::Milliseconds(1)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded) << status;
}

TEST(EngineProcessTest, NoticesTheEnd) {
  const auto process = EngineProcess::Start({.words = {"/bin/true"}});
  ASSERT_TRUE(process.ok()) << process.status();
  const absl::Status status = (*process)->Ask("hello\n", "hello").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
}

TEST(EngineProcessTest, NoticesAMissingProgram) {
  EXPECT_EQ(EngineProcess::Start({.words = {"/no/such/program"}}).status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace kibitz::client
