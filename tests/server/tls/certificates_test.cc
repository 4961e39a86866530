#include "server/tls/certificates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <filesystem>
#include <memory>
#include <string>

#include "absl/time/time.h"
#include "client/certificates/authority.h"
#include "client/certificates/first_certificates.h"
#include "server/files/files.h"

namespace kibitz::server {
namespace {

using ::kibitz::client::Authority;
using ::kibitz::client::FirstCertificates;
using ::testing::HasSubstr;

// A private key that only a passphrase unlocks.
std::string LockedKey() {
  char passphrase[] = "passphrase";
  const std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const std::unique_ptr<BIO, int (*)(BIO*)> memory(BIO_new(BIO_s_mem()), BIO_free);
  PEM_write_bio_PrivateKey(memory.get(), key.get(), EVP_aes_256_cbc(), nullptr, 0, nullptr, passphrase);
  char* text = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &text);
  return std::string(text, static_cast<std::size_t>(size));
}

class CertificatesTest : public ::testing::Test {
 protected:
  CertificatesTest() {
    std::string folder = ::testing::TempDir() + "/tls_XXXXXX";
    EXPECT_NE(mkdtemp(folder.data()), nullptr);
    made_.folder = folder;
    EXPECT_TRUE(client::WriteFirstCertificates(made_, kNow).ok());
    files_ = {.certificate = made_.ServerCertificate(), .key = made_.ServerKey(), .client_ca = made_.CaCertificate()};
  }
  ~CertificatesTest() override { std::filesystem::remove_all(made_.folder); }

  // What is wrong with the files, so long after they were made.
  std::string Fault(absl::Duration later = absl::ZeroDuration()) const {
    return std::string(ReadCertificates(files_, absl::ToChronoTime(kNow + later)).status().message());
  }

  static inline const absl::Time kNow = absl::FromCivil(absl::CivilDay(2026, 3, 1), absl::UTCTimeZone());

  FirstCertificates made_;
  TlsFiles files_;
};

TEST_F(CertificatesTest, ReadsWhatBelongsTogether) {
  const absl::StatusOr<Certificates> read = ReadCertificates(files_, absl::ToChronoTime(kNow));
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_THAT(read->chain, HasSubstr("BEGIN CERTIFICATE"));
  EXPECT_THAT(read->key, HasSubstr("BEGIN PRIVATE KEY"));
  EXPECT_THAT(read->client_ca, HasSubstr("BEGIN CERTIFICATE"));
  EXPECT_EQ(absl::FromChrono(read->not_after), kNow + absl::Hours(24 * 365));
}

TEST_F(CertificatesTest, ClientsNeedNoAuthority) {
  files_.client_ca.clear();
  EXPECT_EQ(Fault(), "");
}

TEST_F(CertificatesTest, NamesTheFileThatIsMissing) {
  files_.key = made_.folder + "/none";
  EXPECT_EQ(Fault(), files_.key + " cannot be read: No such file or directory");
}

TEST_F(CertificatesTest, RefusesWhatIsNoCertificate) {
  files_.certificate = made_.ServerKey();
  EXPECT_THAT(Fault(), HasSubstr("server.key holds no certificate"));
  files_.certificate = made_.folder + "/broken.pem";
  ASSERT_TRUE(WriteNewFile(files_.certificate, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n").ok());
  EXPECT_THAT(Fault(), HasSubstr("broken.pem holds a certificate that cannot be read"));
}

TEST_F(CertificatesTest, RefusesWhatIsNoKey) {
  files_.key = made_.ServerCertificate();
  EXPECT_THAT(Fault(), HasSubstr("server.pem holds no private key"));
}

TEST_F(CertificatesTest, AsksNobodyForAPassphrase) {
  ASSERT_TRUE(ReplaceFile(made_.ServerKey(), LockedKey()).ok());
  EXPECT_THAT(Fault(), HasSubstr("server.key is locked by a passphrase"));
}

TEST_F(CertificatesTest, RefusesTheKeyOfAnother) {
  files_.key = made_.ClientKey();
  EXPECT_THAT(Fault(), HasSubstr("client.key is not the key of the first certificate in"));
}

TEST_F(CertificatesTest, RefusesWhatHasExpiredOrIsNotYetValid) {
  EXPECT_EQ(Fault(absl::Hours(24 * 364)), "");
  EXPECT_THAT(Fault(absl::Hours(24 * 366)), HasSubstr("server.pem holds a certificate that expired at 2027-03-01"));
  EXPECT_THAT(Fault(-absl::Hours(24)), HasSubstr("is valid only from 2026-02-28 23:55:00 UTC: is the clock"));
}

TEST_F(CertificatesTest, RefusesACertificateThatIsNotForServers) {
  files_.certificate = made_.ClientCertificate();
  files_.key = made_.ClientKey();
  EXPECT_THAT(Fault(), HasSubstr("not for servers"));
}

TEST_F(CertificatesTest, RefusesAnAuthorityThatIsNone) {
  files_.client_ca = made_.ClientCertificate();
  EXPECT_THAT(Fault(), HasSubstr("client.pem holds a certificate that is no authority's"));
}

TEST_F(CertificatesTest, RefusesAnAuthorityThatHasExpired) {
  const absl::StatusOr<Authority> old = Authority::Create("old", {.from = kNow - absl::Hours(2), .until = kNow});
  ASSERT_TRUE(old.ok());
  ASSERT_TRUE(ReplaceFile(made_.CaCertificate(), old->ToPem()->certificate).ok());
  EXPECT_THAT(Fault(absl::Hours(1)), HasSubstr("ca.pem holds a certificate that expired at 2026-03-01 00:00:00"));
}

}  // namespace
}  // namespace kibitz::server
