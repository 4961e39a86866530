#include "client/readable_status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

namespace kibitz::client {
namespace {

using ::testing::HasSubstr;

const Peer kServer{.name = "host:1"};

google::rpc::BadRequest BadField(const std::string& field, const std::string& reason) {
  google::rpc::BadRequest bad_request;
  auto* violation = bad_request.add_field_violations();
  violation->set_field(field);
  violation->set_description(reason);
  return bad_request;
}

google::rpc::ErrorInfo FromKibitz(const std::string& reason) {
  google::rpc::ErrorInfo info;
  info.set_domain("kibitz");
  info.set_reason(reason);
  return info;
}

template <typename... Details>
grpc::Status Failed(grpc::StatusCode code, const std::string& message, const Details&... details) {
  google::rpc::Status status;
  (status.add_details()->PackFrom(details), ...);
  return grpc::Status(code, message, status.SerializeAsString());
}

std::string MessageOf(const grpc::Status& status) { return std::string(ReadableStatus(status, kServer).message()); }

TEST(ReadableStatusTest, IsOkForASuccess) { EXPECT_TRUE(ReadableStatus(grpc::Status::OK, kServer).ok()); }

TEST(ReadableStatusTest, NamesTheFieldAndTheReason) {
  const absl::Status status = ReadableStatus(
      Failed(grpc::StatusCode::INVALID_ARGUMENT, "bad", BadField("position.moves[3]", "'e2e5' is not legal")), kServer);
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_EQ(status.message(), "position.moves[3]: 'e2e5' is not legal");
  EXPECT_EQ(FieldAtFault(status), "position.moves[3]");
}

TEST(ReadableStatusTest, NamesEveryFieldAtFault) {
  google::rpc::BadRequest two = BadField("depth", "too deep");
  two.MergeFrom(BadField("threads", "too many"));
  const absl::Status status = ReadableStatus(Failed(grpc::StatusCode::INVALID_ARGUMENT, "bad", two), kServer);
  EXPECT_EQ(status.message(), "depth: too deep; threads: too many");
  EXPECT_EQ(FieldAtFault(status), "depth");
}

TEST(ReadableStatusTest, SaysWhenToTryAgain) {
  google::rpc::RetryInfo retry;
  retry.mutable_retry_delay()->set_seconds(1);
  retry.mutable_retry_delay()->set_nanos(500'000'000);
  EXPECT_EQ(MessageOf(Failed(grpc::StatusCode::RESOURCE_EXHAUSTED, "the queue is full", FromKibitz("FULL"), retry)),
            "the queue is full; try again in 1.5s");
}

TEST(ReadableStatusTest, SaysThatNobodyListens) {
  EXPECT_EQ(MessageOf(grpc::Status(grpc::StatusCode::UNAVAILABLE, "failed to connect to all addresses")),
            "no server at host:1");
}

TEST(ReadableStatusTest, SaysThatTheHostIsUnknown) {
  EXPECT_THAT(MessageOf(grpc::Status(grpc::StatusCode::UNAVAILABLE, "DNS resolution failed for host:1")),
              HasSubstr("the host name is unknown"));
}

TEST(ReadableStatusTest, SaysThatTheConnectionWasLost) {
  EXPECT_EQ(MessageOf(grpc::Status(grpc::StatusCode::UNAVAILABLE, "Socket closed")),
            "the connection to host:1 was lost");
}

TEST(ReadableStatusTest, KnowsWhetherThereWasAConnection) {
  const auto lost = [](const grpc::Status& status) { return IsConnectionLost(ReadableStatus(status, kServer)); };
  EXPECT_TRUE(lost(grpc::Status(grpc::StatusCode::UNAVAILABLE, "Socket closed")));
  EXPECT_FALSE(lost(grpc::Status(grpc::StatusCode::UNAVAILABLE, "failed to connect to all addresses")));
  EXPECT_FALSE(lost(grpc::Status(grpc::StatusCode::UNAVAILABLE, "DNS resolution failed for host:1")));
  EXPECT_FALSE(lost(grpc::Status(grpc::StatusCode::INTERNAL, "Socket closed")));
  EXPECT_FALSE(lost(Failed(grpc::StatusCode::UNAVAILABLE, "stopping", FromKibitz("SHUTTING_DOWN"))));
}

TEST(ReadableStatusTest, KeepsTheServersOwnWordsWhenItIsUnavailable) {
  EXPECT_EQ(MessageOf(Failed(grpc::StatusCode::UNAVAILABLE, "shutting down", FromKibitz("SHUTDOWN"))), "shutting down");
}

TEST(ReadableStatusTest, SaysThatTheDeadlinePassed) {
  EXPECT_EQ(MessageOf(grpc::Status(grpc::StatusCode::DEADLINE_EXCEEDED, "Deadline Exceeded")),
            "host:1 did not answer in time");
}

TEST(ReadableStatusTest, SurvivesDetailsThatAreNoMessage) {
  const grpc::Status garbled(grpc::StatusCode::INTERNAL, "broken", "\xff\xff\xff");
  EXPECT_EQ(MessageOf(garbled), "broken");
  EXPECT_EQ(FieldAtFault(ReadableStatus(garbled, kServer)), "");
}

TEST(ReadableStatusTest, NamesTheFieldOfARefusal) {
  v1::AnalyzeSessionResponse::Refused refused;
  refused.set_code(grpc::INVALID_ARGUMENT);
  refused.set_field("limits.depth");
  refused.set_description("is too much");
  const absl::Status status = ReadableRefusal(refused);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "limits.depth: is too much");
  EXPECT_EQ(FieldAtFault(status), "limits.depth");
}

TEST(ReadableStatusTest, TellsARefusalThatIsNoFieldsFault) {
  v1::AnalyzeSessionResponse::Refused refused;
  refused.set_code(grpc::RESOURCE_EXHAUSTED);
  refused.set_description("the server is full");
  const absl::Status status = ReadableRefusal(refused);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(status.message(), "the server is full");
  EXPECT_EQ(FieldAtFault(status), "");
}

TEST(ReadableStatusTest, RemembersWhenToTryAgain) {
  google::rpc::RetryInfo retry;
  retry.mutable_retry_delay()->set_seconds(2);
  const absl::Status status = ReadableStatus(Failed(grpc::StatusCode::RESOURCE_EXHAUSTED, "full", retry), kServer);
  EXPECT_EQ(RetryDelay(status), absl::Seconds(2));
  EXPECT_EQ(RetryDelay(ReadableStatus(grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "full"), kServer)),
            std::nullopt);
}

TEST(ReadableStatusTest, RemembersWhenToTryAgainWhatASessionRefused) {
  v1::AnalyzeSessionResponse::Refused refused;
  refused.set_code(grpc::StatusCode::RESOURCE_EXHAUSTED);
  refused.set_description("full");
  EXPECT_EQ(RetryDelay(ReadableRefusal(refused)), std::nullopt);
  refused.mutable_retry_delay()->set_seconds(2);
  EXPECT_EQ(ReadableRefusal(refused).message(), "full; try again in 2s");
  EXPECT_EQ(RetryDelay(ReadableRefusal(refused)), absl::Seconds(2));
}

TEST(ReadableStatusTest, LooksAgainAtWhoCouldNotBeTalkedTo) {
  const Peer server{.name = "host:1", .look_again = [] { return std::string("it speaks another language"); }};
  const auto message_of = [&](const std::string& reason) {
    return std::string(ReadableStatus(grpc::Status(grpc::StatusCode::UNAVAILABLE, reason), server).message());
  };
  EXPECT_EQ(message_of("failed to connect to all addresses; last error: Socket closed"), "it speaks another language");
  EXPECT_EQ(message_of("failed to connect to all addresses; last error: Connection refused"), "no server at host:1");
  EXPECT_EQ(message_of("Socket closed"), "the connection to host:1 was lost");
}

TEST(ReadableStatusTest, SaysWhoWantsAKey) {
  EXPECT_EQ(MessageOf(Failed(grpc::StatusCode::UNAUTHENTICATED, "send one", FromKibitz("MISSING_KEY"))),
            "host:1 wants a key: --key-file FILE");
  EXPECT_EQ(MessageOf(Failed(grpc::StatusCode::UNAUTHENTICATED, "it has expired", FromKibitz("EXPIRED_KEY"))),
            "host:1 does not accept this key: it has expired");
}

}  // namespace
}  // namespace kibitz::client
