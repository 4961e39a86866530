#include "server/tls/tls_credentials.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "client/certificates/authority.h"
#include "server/files/files.h"

namespace kibitz::server {
namespace {

using ::kibitz::client::Authority;
using ::kibitz::client::CertifiedKey;

class TlsCredentialsTest : public ::testing::Test {
 protected:
  TlsCredentialsTest() : folder_(::testing::TempDir() + "/credentials_XXXXXX") {
    EXPECT_NE(mkdtemp(folder_.data()), nullptr);
    files_ = {.certificate = folder_ + "/server.pem", .key = folder_ + "/server.key", .client_ca = ""};
  }
  ~TlsCredentialsTest() override { std::filesystem::remove_all(folder_); }

  // A server's certificate that expires after so many days.
  CertifiedKey Make(int days) const {
    const client::Validity validity{.from = now_ - absl::Hours(48), .until = now_ + absl::Hours(24) * days};
    const absl::StatusOr<Authority> authority = Authority::Create("authority", validity);
    return *authority->Issue(Authority::Use::kServer, "kibitzd", {"localhost"}, validity);
  }
  void Write(const CertifiedKey& made) const {
    ASSERT_TRUE(ReplaceFile(files_.certificate, made.certificate).ok());
    ASSERT_TRUE(ReplaceFile(files_.key, made.key).ok());
  }
  int DaysLeft(const TlsCredentials& credentials) const {
    return static_cast<int>((absl::FromChrono(credentials.NotAfter()) - now_) / absl::Hours(24));
  }

  const absl::Time now_ = absl::FromUnixSeconds(absl::ToUnixSeconds(absl::Now()));
  std::string folder_;
  TlsFiles files_;
};

TEST_F(TlsCredentialsTest, DoNotOpenWithoutACertificate) { EXPECT_FALSE(TlsCredentials::Open(files_).ok()); }

TEST_F(TlsCredentialsTest, TakeANewCertificate) {
  Write(Make(10));
  const auto credentials = TlsCredentials::Open(files_);
  ASSERT_TRUE(credentials.ok()) << credentials.status().message();
  EXPECT_EQ(DaysLeft(**credentials), 10);
  Write(Make(20));
  (*credentials)->Refresh();
  EXPECT_EQ(DaysLeft(**credentials), 20);
}

TEST_F(TlsCredentialsTest, KeepTheOldOneUntilTheNewOneIsGood) {
  Write(Make(10));
  const auto credentials = TlsCredentials::Open(files_);
  ASSERT_TRUE(credentials.ok()) << credentials.status().message();
  const CertifiedKey made = Make(20);
  ASSERT_TRUE(ReplaceFile(files_.certificate, made.certificate).ok());
  (*credentials)->Refresh();  // its key is still to come
  EXPECT_EQ(DaysLeft(**credentials), 10);
  ASSERT_TRUE(ReplaceFile(files_.key, made.key).ok());
  (*credentials)->Refresh();
  EXPECT_EQ(DaysLeft(**credentials), 20);
  Write(Make(-1));  // expired
  (*credentials)->Refresh();
  EXPECT_EQ(DaysLeft(**credentials), 20);
}

}  // namespace
}  // namespace kibitz::server
