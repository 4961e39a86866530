#include "client/net/tls_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/time/clock.h"
#include "tests/client/certificates.h"
#include "tests/client/fake_server.h"

namespace kibitz::client {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Outcome = TlsProbe::Outcome;

class TlsProbeTest : public ::testing::Test {
 protected:
  TlsProbe Probe(const FakeServer& server, TlsOptions options) {
    return ProbeTls(server.address(), options, absl::Now() + absl::Seconds(30));
  }
  TlsOptions Trusting() const { return {.ca_file = authority_.ca_file()}; }

  TestAuthority authority_{"authority"};
  const CertificateFiles good_ = authority_.Sign("DNS:localhost,IP:127.0.0.1");
};

TEST_F(TlsProbeTest, IsContentWithAGoodServer) {
  const FakeServer server(ServerCredentialsOf(good_));
  const TlsProbe probe = Probe(server, Trusting());
  EXPECT_EQ(probe.outcome, Outcome::kGood) << probe.words;
  EXPECT_EQ(probe.words, "");
  EXPECT_EQ(probe.version, "TLSv1.3");
  ASSERT_TRUE(probe.certificate);
  EXPECT_THAT(probe.certificate->names, ElementsAre("localhost", "127.0.0.1"));
  EXPECT_THAT(probe.certificate->issuer, HasSubstr("authority"));
  EXPECT_GT(probe.certificate->not_after, absl::Now());
}

TEST_F(TlsProbeTest, KnowsPlaintext) {
  const FakeServer server;
  const TlsProbe probe = Probe(server, Trusting());
  EXPECT_EQ(probe.outcome, Outcome::kPlaintext);
  EXPECT_THAT(probe.words, HasSubstr("does not speak TLS"));
  EXPECT_FALSE(probe.certificate);
}

TEST_F(TlsProbeTest, TellsWhoSignedWhatIsNotTrusted) {
  const FakeServer server(ServerCredentialsOf(good_));
  const TestAuthority other("other");
  const TlsProbe probe = Probe(server, {.ca_file = other.ca_file()});
  EXPECT_EQ(probe.outcome, Outcome::kUntrusted);
  EXPECT_THAT(probe.words, HasSubstr("is signed by CN = authority, who is not trusted by " + other.ca_file()));
  EXPECT_EQ(Probe(server, {.on = true}).outcome, Outcome::kUntrusted);
}

TEST_F(TlsProbeTest, TellsWhenACertificateExpired) {
  const FakeServer server(ServerCredentialsOf(authority_.Sign("IP:127.0.0.1", /*days=*/-1)));
  const TlsProbe probe = Probe(server, Trusting());
  EXPECT_EQ(probe.outcome, Outcome::kWrongTime);
  EXPECT_THAT(probe.words, HasSubstr("expired on 20"));
}

TEST_F(TlsProbeTest, TellsWhoseACertificateIs) {
  const FakeServer server(ServerCredentialsOf(authority_.Sign("DNS:other.example,IP:127.0.0.9")));
  const TlsProbe probe = Probe(server, Trusting());
  EXPECT_EQ(probe.outcome, Outcome::kWrongName);
  EXPECT_THAT(probe.words, HasSubstr("is for other.example, 127.0.0.9"));
  TlsOptions named = Trusting();
  named.server_name = "other.example";
  EXPECT_EQ(Probe(server, named).outcome, Outcome::kGood);
}

TEST_F(TlsProbeTest, KnowsThatOurCertificateIsWanted) {
  const FakeServer server(ServerCredentialsOf(good_, ReadWholeFile(authority_.ca_file())));
  const TlsProbe probe = Probe(server, Trusting());
  EXPECT_EQ(probe.outcome, Outcome::kWantsOurs) << probe.words;
  EXPECT_THAT(probe.words, HasSubstr("--tls-client-cert"));

  TestAuthority other("other");
  for (const auto& [ours, expected] : {std::pair(authority_.Sign("DNS:client"), Outcome::kGood),
                                       std::pair(other.Sign("DNS:client"), Outcome::kRefusesOurs)}) {
    TlsOptions options = Trusting();
    options.client_cert_file = ours.cert;
    options.client_key_file = ours.key;
    EXPECT_EQ(Probe(server, options).outcome, expected) << Probe(server, options).words;
  }
}

TEST_F(TlsProbeTest, KnowsThatNobodyListens) {
  const ReservedPort port;
  const TlsProbe probe = ProbeTls("127.0.0.1:" + std::to_string(port.number()), Trusting(), absl::InfiniteFuture());
  EXPECT_EQ(probe.outcome, Outcome::kUnreachable);
  EXPECT_THAT(probe.words, HasSubstr("refused"));
}

}  // namespace
}  // namespace kibitz::client
