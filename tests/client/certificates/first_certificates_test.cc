#include "client/certificates/first_certificates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>

#include <filesystem>
#include <memory>
#include <string>

#include "absl/time/clock.h"
#include "client/certificates/authority.h"
#include "server/files/files.h"

namespace kibitz::client {
namespace {

using ::testing::HasSubstr;
using Certificate = std::unique_ptr<X509, void (*)(X509*)>;

class FirstCertificatesTest : public ::testing::Test {
 protected:
  FirstCertificatesTest() : scratch_(::testing::TempDir() + "/certificates_XXXXXX") {
    EXPECT_NE(mkdtemp(scratch_.data()), nullptr);
    wanted_.folder = scratch_ + "/tls";
  }
  ~FirstCertificatesTest() override { std::filesystem::remove_all(scratch_); }

  static std::string Content(const std::string& path) { return server::ReadFile(path, 100'000).value_or(""); }
  static Certificate Parse(const std::string& path) {
    const std::string pem = Content(path);
    const std::unique_ptr<BIO, int (*)(BIO*)> reader(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())),
                                                     BIO_free);
    return {PEM_read_bio_X509(reader.get(), nullptr, nullptr, nullptr), X509_free};
  }
  // Whether whoever trusts the CA believes the certificate for that purpose.
  bool Verifies(const std::string& path, int purpose) const {
    const Certificate authority = Parse(wanted_.CaCertificate());
    const Certificate certificate = Parse(path);
    const std::unique_ptr<X509_STORE, void (*)(X509_STORE*)> store(X509_STORE_new(), X509_STORE_free);
    X509_STORE_add_cert(store.get(), authority.get());
    const std::unique_ptr<X509_STORE_CTX, void (*)(X509_STORE_CTX*)> context(X509_STORE_CTX_new(), X509_STORE_CTX_free);
    X509_STORE_CTX_init(context.get(), store.get(), certificate.get(), nullptr);
    X509_STORE_CTX_set_purpose(context.get(), purpose);
    return X509_verify_cert(context.get()) == 1;
  }

  std::string scratch_;
  FirstCertificates wanted_;
};

TEST_F(FirstCertificatesTest, TheAuthorityVouchesForServerAndClient) {
  ASSERT_TRUE(WriteFirstCertificates(wanted_, absl::Now()).ok());
  EXPECT_TRUE(Verifies(wanted_.ServerCertificate(), X509_PURPOSE_SSL_SERVER));
  EXPECT_FALSE(Verifies(wanted_.ServerCertificate(), X509_PURPOSE_SSL_CLIENT));
  EXPECT_TRUE(Verifies(wanted_.ClientCertificate(), X509_PURPOSE_SSL_CLIENT));
  EXPECT_FALSE(Verifies(wanted_.ClientCertificate(), X509_PURPOSE_SSL_SERVER));
}

TEST_F(FirstCertificatesTest, TheServerHasTheNamesAskedFor) {
  wanted_.hosts = {"chess.example.org", "10.0.0.7", "2001:db8::1"};
  ASSERT_TRUE(WriteFirstCertificates(wanted_, absl::Now()).ok());
  const Certificate certificate = Parse(wanted_.ServerCertificate());
  EXPECT_EQ(X509_check_host(certificate.get(), "chess.example.org", 0, 0, nullptr), 1);
  EXPECT_EQ(X509_check_host(certificate.get(), "localhost", 0, 0, nullptr), 0);
  EXPECT_EQ(X509_check_ip_asc(certificate.get(), "10.0.0.7", 0), 1);
  EXPECT_EQ(X509_check_ip_asc(certificate.get(), "2001:db8::1", 0), 1);
}

TEST_F(FirstCertificatesTest, FilesAreForTheirOwnerAlone) {
  ASSERT_TRUE(WriteFirstCertificates(wanted_, absl::Now()).ok());
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(wanted_.folder)) {
    ++files;
    EXPECT_EQ(entry.status().permissions(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  }
  EXPECT_EQ(files, 6);
  EXPECT_EQ(std::filesystem::status(wanted_.folder).permissions(), std::filesystem::perms::owner_all);
}

TEST_F(FirstCertificatesTest, OverwritesNothing) {
  ASSERT_TRUE(WriteFirstCertificates(wanted_, absl::Now()).ok());
  std::filesystem::remove(wanted_.CaCertificate());
  const std::string key = Content(wanted_.ServerKey());
  const absl::Status again = WriteFirstCertificates(wanted_, absl::Now());
  EXPECT_THAT(std::string(again.message()), HasSubstr("ca.key is there already"));
  EXPECT_EQ(Content(wanted_.ServerKey()), key);
  EXPECT_FALSE(std::filesystem::exists(wanted_.CaCertificate()));
}

TEST_F(FirstCertificatesTest, RefusesHostsThatAreNone) {
  for (const char* host : {"", "a b", "a,IP:1.2.3.4", "http://a", "a\n"}) {
    wanted_.hosts = {host};
    EXPECT_THAT(std::string(WriteFirstCertificates(wanted_, absl::Now()).message()), HasSubstr("is no host name"));
    EXPECT_FALSE(std::filesystem::exists(wanted_.folder));
  }
}

}  // namespace
}  // namespace kibitz::client
