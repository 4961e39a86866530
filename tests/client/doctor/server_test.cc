#include "client/doctor/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/client/certificates.h"
#include "tests/client/fake_server.h"

namespace kibitz::client {
namespace {

using ::testing::HasSubstr;
using Verdict = Finding::Verdict;

// The last finding, which is the one that ended the visit when it is bad.
Finding Last(const ConnectionOptions& options) { return CheckServer(options, "Fake 1.0").back(); }

TEST(DoctorServerTest, NamesTheStepThatFails) {
  const ReservedPort port;
  EXPECT_EQ(Last({.server = "nonsense"}).subject, "address");
  EXPECT_EQ(Last({.server = "no such host:1"}).subject, "address");
  const Finding closed = Last({.server = "127.0.0.1:" + std::to_string(port.number())});
  EXPECT_EQ(closed.subject, "port");
  EXPECT_THAT(closed.words, HasSubstr("Connection refused"));
  EXPECT_NE(closed.next_step, "");
}

TEST(DoctorServerTest, LooksAtTls) {
  TestAuthority authority("authority");
  const TestAuthority other("other");
  const FakeServer server(ServerCredentialsOf(authority.Sign("IP:127.0.0.1")));
  EXPECT_THAT(Last({.server = server.address()}).words, HasSubstr("speaks TLS"));
  EXPECT_THAT(Last({.server = server.address(), .tls = {.ca_file = other.ca_file()}}).words, HasSubstr("is signed by"));

  const Findings findings = CheckServer({.server = server.address(), .tls = {.ca_file = authority.ca_file()}}, "");
  ASSERT_GE(findings.size(), 4u);
  EXPECT_EQ(findings[2].subject, "TLS");
  EXPECT_THAT(findings[2].words, HasSubstr("certificate for 127.0.0.1"));
  EXPECT_EQ(findings[3].subject, "certificate");
  EXPECT_EQ(findings[3].verdict, Verdict::kNote) << "it has two days left";
}

// gRPC's own server knows no health service unless it is told to.
TEST(DoctorServerTest, KnowsWhatIsNoKibitzServer) {
  const FakeServer server;
  const Finding last = Last({.server = server.address()});
  EXPECT_EQ(last.subject, "health");
  EXPECT_EQ(last.verdict, Verdict::kBad);
}

TEST(DoctorClockTest, AllowsForTheWay) {
  const absl::Time now = absl::FromUnixSeconds(1'000'000);
  EXPECT_EQ(CheckClock(now, now - absl::Seconds(9), now + absl::Seconds(1)).words, "both clocks agree");
  EXPECT_EQ(CheckClock(now, now + absl::Seconds(1), now + absl::Seconds(2)).verdict, Verdict::kGood);
  EXPECT_EQ(CheckClock(now, now + absl::Seconds(30), now + absl::Seconds(31)).verdict, Verdict::kNote);
  EXPECT_EQ(CheckClock(now, now - absl::Hours(2), now - absl::Hours(1)).verdict, Verdict::kBad);
  EXPECT_THAT(CheckClock(now, now - absl::Hours(2), now - absl::Hours(1)).words, HasSubstr("1h apart"));
}

TEST(DoctorOwnServerTest, TellsItsVersion) {
  const OwnServer own = CheckOwnServer("");
  EXPECT_EQ(own.finding.verdict, Verdict::kGood) << own.finding.words;
  EXPECT_THAT(own.version, HasSubstr("Kibitz"));
  EXPECT_EQ(CheckOwnServer("/no/such/folder").finding.verdict, Verdict::kBad);
}

}  // namespace
}  // namespace kibitz::client
