#include "client/connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stop_token>
#include <string>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "tests/client/certificates.h"
#include "tests/client/fake_server.h"

namespace kibitz::client {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

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

class TlsConnectionTest : public ::testing::Test {
 protected:
  static absl::Status Call(const FakeServer& server, const TlsOptions& tls) {
    const auto connection =
        Connection::Open({.server = server.address(), .key = "sesame", .tls = tls, .quick_timeout = absl::Seconds(60)});
    if (!connection.ok()) return connection.status();
    return (*connection)->client().GetServerInfo((*connection)->QuickCall()).status();
  }
  TlsOptions Trusting() const { return {.ca_file = authority_.ca_file()}; }

  TestAuthority authority_{"authority"};
  const CertificateFiles good_ = authority_.Sign("IP:127.0.0.1");
};

TEST_F(TlsConnectionTest, CarriesCallsAndTheKey) {
  const FakeServer server(ServerCredentialsOf(good_));
  EXPECT_TRUE(Call(server, Trusting()).ok()) << Call(server, Trusting());
  EXPECT_EQ(server.authorization(), "Bearer sesame");
}

TEST_F(TlsConnectionTest, ShowsItsOwnCertificate) {
  const FakeServer server(ServerCredentialsOf(good_, ReadWholeFile(authority_.ca_file())));
  EXPECT_THAT(Call(server, Trusting()).message(), HasSubstr("wants a client's certificate"));
  const CertificateFiles ours = authority_.Sign("DNS:client");
  TlsOptions options = Trusting();
  options.client_cert_file = ours.cert;
  options.client_key_file = ours.key;
  EXPECT_TRUE(Call(server, options).ok()) << Call(server, options);
}

TEST_F(TlsConnectionTest, SaysWhyItTrustsNobody) {
  const FakeServer server(ServerCredentialsOf(good_));
  const TestAuthority other("other");
  EXPECT_THAT(Call(server, {.ca_file = other.ca_file()}).message(), HasSubstr("is signed by CN = authority"));
  const FakeServer expired(ServerCredentialsOf(authority_.Sign("IP:127.0.0.1", /*days=*/-1)));
  EXPECT_THAT(Call(expired, Trusting()).message(), HasSubstr("expired on 20"));
  const FakeServer elsewhere(ServerCredentialsOf(authority_.Sign("DNS:other.example")));
  EXPECT_THAT(Call(elsewhere, Trusting()).message(), HasSubstr("is for other.example"));
  TlsOptions named = Trusting();
  named.server_name = "other.example";
  EXPECT_TRUE(Call(elsewhere, named).ok()) << Call(elsewhere, named);
}

TEST_F(TlsConnectionTest, TellsPlaintextFromTls) {
  const FakeServer plain;
  EXPECT_THAT(Call(plain, Trusting()).message(), HasSubstr("does not speak TLS: leave out --tls"));
  const FakeServer secure(ServerCredentialsOf(good_));
  EXPECT_THAT(Call(secure, {}).message(), HasSubstr("speaks TLS: name the file of its CA by --tls-ca"));
}

TEST_F(TlsConnectionTest, LooksAtItsFilesFirst) {
  const absl::Status status = Connection::Open({.server = "127.0.0.1:1", .tls = {.ca_file = "/no/such"}}).status();
  EXPECT_THAT(status.message(), HasSubstr("the CA file /no/such cannot be read"));
}

TEST(ConnectionTest, KeepsTheKeyFromGoingAboutInPlaintext) {
  const absl::Status status = Connection::Open({.server = "192.0.2.1:1", .key = "sesame"}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("--tls-ca FILE"));
  EXPECT_THAT(status.message(), Not(HasSubstr("sesame")));
  EXPECT_TRUE(Connection::Open({.server = "192.0.2.1:1"}).ok());
  EXPECT_TRUE(Connection::Open({.server = "192.0.2.1:1", .key = "sesame", .tls = {.on = true}}).ok());
  EXPECT_TRUE(Connection::Open({.server = "192.0.2.1:1", .key = "sesame", .insecure = true}).ok());
  EXPECT_TRUE(Connection::Open({.server = "localhost:1", .key = "sesame"}).ok());
}

}  // namespace
}  // namespace kibitz::client
