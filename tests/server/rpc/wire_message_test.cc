#include "server/rpc/wire_message.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "grpcpp/grpcpp.h"
#include "kibitz/v1/analysis.pb.h"
#include "server/rpc/grpc_status.h"
#include "tests/server/error_details.h"

namespace kibitz::server {
namespace {

grpc::ByteBuffer Bytes(const std::string& text) {
  const grpc::Slice slice(text);
  return grpc::ByteBuffer(&slice, 1);
}

// A field of text or of a message, in protobuf's encoding.
std::string Field(int number, const std::string& content) {
  return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(content.size())} + content;
}

grpc::Status StatusOf(const std::string& text) {
  v1::AnalyzeRequest request;
  grpc::ByteBuffer bytes = Bytes(text);
  return ToGrpcStatus(ReadMessage(bytes, request));
}

TEST(WireMessageTest, ReadsWhatItWrote) {
  v1::AnalyzeRequest written;
  written.mutable_position()->set_fen("some text");
  written.mutable_position()->add_moves("e2e4");
  written.mutable_limits()->set_depth(7);
  grpc::ByteBuffer bytes = WriteMessage(written);
  EXPECT_EQ(bytes.Length(), written.ByteSizeLong());
  v1::AnalyzeRequest read;
  ASSERT_TRUE(ReadMessage(bytes, read).ok());
  EXPECT_EQ(read.SerializeAsString(), written.SerializeAsString());
}

TEST(WireMessageTest, ReadsAndWritesNothing) {
  grpc::ByteBuffer bytes = WriteMessage(v1::AnalyzeRequest());
  EXPECT_EQ(bytes.Length(), 0u);
  v1::AnalyzeRequest read;
  EXPECT_TRUE(ReadMessage(bytes, read).ok());
}

TEST(WireMessageTest, ForgetsWhatTheMessageHeldBefore) {
  v1::AnalyzeRequest read;
  read.set_multi_pv(5);
  grpc::ByteBuffer bytes = WriteMessage(v1::AnalyzeRequest());
  ASSERT_TRUE(ReadMessage(bytes, read).ok());
  EXPECT_EQ(read.multi_pv(), 0);
}

TEST(WireMessageTest, ReadsBytesInPieces) {
  v1::AnalyzeRequest written;
  written.mutable_position()->set_fen("some text");
  const std::string text = written.SerializeAsString();
  const std::vector<grpc::Slice> slices = {grpc::Slice(text.substr(0, 5)), grpc::Slice(text.substr(5))};
  grpc::ByteBuffer bytes(slices.data(), slices.size());
  v1::AnalyzeRequest read;
  ASSERT_TRUE(ReadMessage(bytes, read).ok());
  EXPECT_EQ(read.position().fen(), "some text");
}

TEST(WireMessageTest, NamesTheFieldWhoseTextIsNotUtf8) {
  const std::string bad = "\xc3\x28";
  const struct {
    std::string bytes;
    const char* field;
  } cases[] = {
      {Field(1, Field(1, bad)), "position.fen"},
      {Field(1, Field(2, "e2e4") + Field(2, bad) + Field(2, bad)), "position.moves[1]"},
      {Field(1, Field(1, "fine") + Field(2, "e2e4")) + Field(4, "e2e4") + Field(5, bad), "exclude_moves[0]"},
  };
  for (const auto& [bytes, field] : cases) {
    const grpc::Status status = StatusOf(bytes);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
    EXPECT_EQ(DetailsOf(status).reason, "INVALID_UTF8");
    EXPECT_EQ(DetailsOf(status).field, field);
  }
}

TEST(WireMessageTest, RefusesBytesThatAreNoMessage) {
  for (const std::string& junk : {std::string(50, '\xff'), std::string("\x0a\x7f"), std::string("\x0b\x0b\x0b"),
                                  std::string("\x0a\x02\x0a\x05"), std::string(1, '\0')}) {
    const grpc::Status status = StatusOf(junk);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
    EXPECT_EQ(DetailsOf(status).reason, "MALFORMED_MESSAGE");
  }
}

}  // namespace
}  // namespace kibitz::server
