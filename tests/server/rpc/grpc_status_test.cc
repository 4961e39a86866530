#include "server/rpc/grpc_status.h"

#include <gtest/gtest.h>

#include <string>

#include "server/errors/errors.h"
#include "tests/server/error_details.h"

namespace kibitz::server {
namespace {

TEST(GrpcStatusTest, OkStaysOk) {
  const grpc::Status status = ToGrpcStatus(absl::OkStatus());
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.error_details(), "");
}

TEST(GrpcStatusTest, FailureCarriesDomainAndReason) {
  const grpc::Status status = ToGrpcStatus(Failure(absl::StatusCode::kUnavailable, "SHUTTING_DOWN", "it ends"));
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(status.error_message(), "it ends");
  EXPECT_EQ(DetailsOf(status).domain, "kibitz");
  EXPECT_EQ(DetailsOf(status).reason, "SHUTTING_DOWN");
}

TEST(GrpcStatusTest, InvalidFieldNamesTheField) {
  const grpc::Status status = ToGrpcStatus(InvalidField("position.moves[3]", "ILLEGAL_MOVE", "cannot go there"));
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(status.error_message(), "position.moves[3]: cannot go there");
  const ErrorDetails details = DetailsOf(status);
  EXPECT_EQ(details.field, "position.moves[3]");
  EXPECT_EQ(details.description, "cannot go there");
  EXPECT_EQ(details.reason, "ILLEGAL_MOVE");
}

TEST(GrpcStatusTest, ExhaustedSaysWhenToComeBack) {
  const grpc::Status status = ToGrpcStatus(Exhausted("QUEUE_FULL", "full", absl::Milliseconds(2500)));
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(DetailsOf(status).reason, "QUEUE_FULL");
  EXPECT_EQ(DetailsOf(status).retry_seconds, 2.5);
}

TEST(GrpcStatusTest, AnExceededQuotaSaysWhoseAndWhenToComeBack) {
  const grpc::Status status =
      ToGrpcStatus(QuotaExceeded("NODES_EXHAUSTED", "tenant:site", "spent", absl::Milliseconds(1500)));
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(DetailsOf(status).reason, "NODES_EXHAUSTED");
  EXPECT_EQ(DetailsOf(status).retry_seconds, 1.5);
  EXPECT_EQ(DetailsOf(status).quota_subject, "tenant:site");
}

TEST(GrpcStatusTest, DetailsRepeatCodeAndMessage) {
  google::rpc::Status rich;
  ASSERT_TRUE(rich.ParseFromString(ToGrpcStatus(InvalidField("depth", "OUT_OF_RANGE", "bad")).error_details()));
  EXPECT_EQ(rich.code(), static_cast<int>(grpc::StatusCode::INVALID_ARGUMENT));
  EXPECT_EQ(rich.message(), "depth: bad");
}

TEST(GrpcStatusTest, HostileTextFitsTheTrailers) {
  const std::string hostile(100'000, '\x01');
  const grpc::Status status = ToGrpcStatus(InvalidField("position.fen", "INVALID_FEN", hostile));
  // Clients take 8 KiB of metadata unless told otherwise; the details travel in base 64.
  EXPECT_LT(status.error_message().size() + status.error_details().size() * 4 / 3, 6000u);
  EXPECT_EQ(status.error_message().find('\x01'), std::string::npos);
}

}  // namespace
}  // namespace kibitz::server
