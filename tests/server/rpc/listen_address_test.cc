#include "server/rpc/listen_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace kibitz::server {
namespace {

using ::testing::HasSubstr;

TEST(ListenAddressTest, ReadsHostAndPort) {
  for (const char* text : {"127.0.0.1:50051", "localhost:0", "[::1]:65535", "a.example:1"}) {
    const absl::StatusOr<ListenAddress> address = ParseListenAddress(text);
    ASSERT_TRUE(address.ok()) << text;
    EXPECT_EQ(address->ToString(), text);
  }
}

TEST(ListenAddressTest, RefusesWhatIsNoAddress) {
  const struct {
    const char* text;
    const char* complaint;
  } cases[] = {
      {"", "no port"},
      {"localhost", "no port"},
      {":50051", "no host"},
      {"127.0.0.1:", "not a number"},
      {"127.0.0.1:http", "not a number"},
      {"127.0.0.1:-1", "not a number"},
      {"127.0.0.1:+1", "not a number"},
      {"127.0.0.1:65536", "not a number"},
      {"127.0.0.1:99999999999999999999", "not a number"},
      {"127.0.0.1: 1", "not a number"},
      {"::1:50051", "needs brackets"},
      {"local host:1", "no host has"},
      {"http://localhost:1", "needs brackets"},
      {"unix:/tmp/socket", "not a number"},
  };
  for (const auto& [text, complaint] : cases) {
    const absl::StatusOr<ListenAddress> address = ParseListenAddress(text);
    EXPECT_TRUE(absl::IsInvalidArgument(address.status())) << text;
    EXPECT_THAT(std::string(address.status().message()), HasSubstr(complaint)) << text;
  }
}

TEST(ListenAddressTest, ExplainsAnAddressOfAnotherMachine) {
  // Kept for documentation by RFC 5737: no machine has it.
  const absl::Status status = OpenSockets({"192.0.2.1", 0}).status();
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("cannot listen on 192.0.2.1:0: this machine has no such address"));
}

TEST(ListenAddressTest, ExplainsAnUnknownHost) {
  const absl::Status status = OpenSockets({"256.256.256.256", 0}).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("the host is not known"));
}

TEST(ListenAddressTest, ExplainsAPortInUse) {
  const absl::StatusOr<ListeningSockets> first = OpenSockets({"127.0.0.1", 0});
  ASSERT_TRUE(first.ok());
  const absl::Status second = OpenSockets({"127.0.0.1", first->port}).status();
  EXPECT_THAT(std::string(second.message()), HasSubstr("is in use, perhaps by another kibitzd"));
}

TEST(ListenAddressTest, ListensOnAllAddressesOfAHostAtOnePort) {
  const absl::StatusOr<ListeningSockets> listening = OpenSockets({"localhost", 0});
  ASSERT_TRUE(listening.ok()) << listening.status().message();
  EXPECT_FALSE(listening->sockets.empty());
  EXPECT_GT(listening->port, 0);
}

}  // namespace
}  // namespace kibitz::server
