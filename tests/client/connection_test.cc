#include "client/connection.h"

#include <gtest/gtest.h>

#include <memory>
#include <stop_token>
#include <string>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "tests/client/fake_server.h"

namespace kibitz::client {
namespace {

std::unique_ptr<Connection> OpenTo(const FakeServer& server) {
  return Connection::Open({.server = server.address(), .key = "sesame", .quick_timeout = absl::Seconds(60)}).value();
}

TEST(ConnectionTest, SaysThatNobodyListens) {
  const auto connection = Connection::Open({.server = "127.0.0.1:1", .quick_timeout = absl::Seconds(30)}).value();
  const auto info = connection->client().GetServerInfo(connection->QuickCall());
  EXPECT_TRUE(absl::IsUnavailable(info.status()));
  EXPECT_EQ(info.status().message(), "no server at 127.0.0.1:1");
}

TEST(ConnectionTest, ServesInsideTheProcess) {
  const auto connection = Connection::Open({.embedded = {.workers = 1, .hash_mb = 3}}).value();
  const auto info = connection->client().GetServerInfo(connection->QuickCall());
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_EQ(info->workers(), 1);
  EXPECT_EQ(info->hash_mb(), 3);
  connection->ClearHash();
}

TEST(ConnectionTest, TellsWhyItCannotServe) {
  EXPECT_FALSE(Connection::Open({.embedded = {.syzygy_path = "/no/such/folder"}}).ok());
}

TEST(ConnectionTest, SendsTheKeyWithEveryCall) {
  FakeServer server;
  const auto connection = OpenTo(server);
  ASSERT_TRUE(connection->client().GetServerInfo(connection->QuickCall()).ok());
  EXPECT_EQ(server.authorization(), "Bearer sesame");
}

TEST(ConnectionTest, RefusesAKeyThatCannotBeSent) {
  const absl::Status status = Connection::Open({.server = "127.0.0.1:1", .key = "two\nlines"}).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
}

TEST(ConnectionTest, KnowsHowLongCallsMayLast) {
  const auto connection =
      Connection::Open({.server = "127.0.0.1:1", .quick_timeout = absl::Seconds(3), .long_timeout = absl::Hours(2)})
          .value();
  std::stop_source stop;
  EXPECT_EQ(connection->QuickCall().timeout, absl::Seconds(3));
  EXPECT_EQ(connection->LongCall(stop.get_token()).timeout, absl::Hours(2));
  stop.request_stop();
  EXPECT_TRUE(connection->LongCall(stop.get_token()).stop.stop_requested());
}

TEST(ConnectionTest, AsksAgainWhileTheServerIsUnavailable) {
  FakeServer server;
  server.RefuseInfo(3);
  const auto connection = OpenTo(server);
  const auto info = connection->client().GetServerInfo(connection->QuickCall());
  EXPECT_TRUE(info.ok()) << info.status();
  EXPECT_EQ(server.info_calls(), 4);
}

TEST(ConnectionTest, GivesUpAskingAfterAWhile) {
  FakeServer server;
  server.RefuseInfo(100);
  const auto connection = OpenTo(server);
  EXPECT_TRUE(absl::IsUnavailable(connection->client().GetServerInfo(connection->QuickCall()).status()));
  EXPECT_EQ(server.info_calls(), 4);
}

TEST(ConnectionTest, DoesNotRepeatACount) {
  FakeServer server;
  const auto connection = OpenTo(server);
  EXPECT_TRUE(
      absl::IsUnavailable(connection->client().Perft({}, [](const auto&) {}, connection->QuickCall()).status()));
  EXPECT_EQ(server.perft_calls(), 1);
}

TEST(ConnectionTest, ConnectsAgainAfterALoss) {
  FakeServer server;
  const auto connection = OpenTo(server);
  ASSERT_TRUE(connection->client().GetServerInfo(connection->QuickCall()).ok());
  server.Kill();
  EXPECT_TRUE(absl::IsUnavailable(connection->client().GetServerInfo(connection->QuickCall()).status()));
  server.Start();
  const absl::Time latest = absl::Now() + absl::Seconds(30);
  absl::Status status = absl::UnavailableError("not called yet");
  while (absl::IsUnavailable(status) && absl::Now() < latest) {
    status = connection->client().GetServerInfo(connection->QuickCall()).status();
  }
  EXPECT_TRUE(status.ok()) << status;
}

}  // namespace
}  // namespace kibitz::client
