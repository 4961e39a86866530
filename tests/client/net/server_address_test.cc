#include "client/net/server_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include "absl/time/clock.h"
#include "tests/client/fake_server.h"

namespace kibitz::client {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

bool IsLoopback(const char* text) { return IsLoopback(ParseServerAddress(text).value()); }

TEST(ServerAddressTest, IsHostAndPort) {
  EXPECT_EQ(ParseServerAddress("host:1")->host, "host");
  EXPECT_EQ(ParseServerAddress("host:1")->port, "1");
  EXPECT_EQ(ParseServerAddress("[::1]:50051")->host, "::1");
  for (const char* text : {"", "host", "host:", ":1", "[]:1"}) EXPECT_FALSE(ParseServerAddress(text)) << text;
}

TEST(ServerAddressTest, KnowsWhatStaysOnThisMachine) {
  for (const char* text : {"localhost:1", "LocalHost:1", "127.0.0.1:1", "127.9.9.9:1", "[::1]:1"}) {
    EXPECT_TRUE(IsLoopback(text)) << text;
  }
  for (const char* text : {"example.org:1", "localhost.example.org:1", "10.0.0.1:1", "[2001:db8::1]:1", "0.0.0.0:1",
                           "127.0.0.1.example.org:1", "[::]:1"}) {
    EXPECT_FALSE(IsLoopback(text)) << text;
  }
}

TEST(ServerAddressTest, ResolvesAndConnects) {
  const FakeServer server;
  const auto resolved = ResolvedAddress::Resolve(*ParseServerAddress(server.address()));
  ASSERT_TRUE(resolved.ok()) << resolved.status();
  EXPECT_THAT(resolved->Numbers(), ElementsAre("127.0.0.1"));
  const auto socket = resolved->Connect(absl::Now() + absl::Seconds(30));
  ASSERT_TRUE(socket.ok()) << socket.status();
  // gRPC's server speaks first.
  EXPECT_TRUE(AwaitSocket(*socket, POLLIN, absl::Now() + absl::Seconds(30)));
}

TEST(ServerAddressTest, SaysWhyThereIsNoConnection) {
  const ReservedPort port;
  const auto resolved = ResolvedAddress::Resolve({.host = "127.0.0.1", .port = std::to_string(port.number())});
  ASSERT_TRUE(resolved.ok()) << resolved.status();
  EXPECT_THAT(resolved->Connect(absl::Now() + absl::Seconds(30)).status().ToString(), HasSubstr("Connection refused"));
  EXPECT_FALSE(ResolvedAddress::Resolve({.host = "127.0.0.1", .port = "nonsense"}).ok());
  EXPECT_FALSE(ResolvedAddress::Resolve({.host = "no such host", .port = "1"}).ok());
}

}  // namespace
}  // namespace kibitz::client
