#include "client/net/tls_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/client/certificates.h"

namespace kibitz::client {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class TlsFilesTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& text) {
    const std::string path = ::testing::TempDir() + "/written";
    std::ofstream(path) << text;
    return path;
  }
  static std::string Refusal(const TlsOptions& options) { return ReadTlsFiles(options).status().ToString(); }

  TestAuthority authority_{"authority"};
};

TEST_F(TlsFilesTest, AreReadWhereTheyAreNamed) {
  EXPECT_THAT(ReadTlsFiles({.on = true})->ca, IsEmpty());
  const CertificateFiles ours = authority_.Sign("DNS:client");
  const auto files =
      ReadTlsFiles({.ca_file = authority_.ca_file(), .client_cert_file = ours.cert, .client_key_file = ours.key});
  ASSERT_TRUE(files.ok()) << files.status();
  EXPECT_EQ(files->ca, ReadWholeFile(authority_.ca_file()));
  EXPECT_EQ(files->client_cert, ReadWholeFile(ours.cert));
  EXPECT_EQ(files->client_key, ReadWholeFile(ours.key));
}

TEST_F(TlsFilesTest, MustBeThereAndHoldWhatTheyShould) {
  EXPECT_THAT(Refusal({.ca_file = "/no/such"}), HasSubstr("the CA file /no/such cannot be read"));
  const std::string path = Write("sesame");
  EXPECT_THAT(Refusal({.ca_file = path}), HasSubstr("holds no certificate in PEM"));
  EXPECT_THAT(Refusal({.ca_file = path}), Not(HasSubstr("sesame")));
  EXPECT_THAT(Refusal({.ca_file = ::testing::TempDir()}), HasSubstr("cannot be read"));
}

TEST_F(TlsFilesTest, GoTogether) {
  const CertificateFiles ours = authority_.Sign("DNS:client");
  const CertificateFiles other = authority_.Sign("DNS:client");
  EXPECT_THAT(Refusal({.client_cert_file = ours.cert}), HasSubstr("go together"));
  EXPECT_THAT(Refusal({.client_key_file = ours.key}), HasSubstr("go together"));
  EXPECT_THAT(Refusal({.client_cert_file = ours.cert, .client_key_file = other.key}), HasSubstr("does not belong to"));
  EXPECT_THAT(Refusal({.client_cert_file = ours.cert, .client_key_file = ours.cert}), HasSubstr("no private key"));
}

TEST_F(TlsFilesTest, AskForNoPassword) {
  const CertificateFiles ours = authority_.Sign("DNS:client");
  const std::string locked = ::testing::TempDir() + "/locked.key";
  const std::string command = "openssl ec -aes128 -passout pass:sesame -in '" + ours.key + "' -out '" + locked + "'";
  ASSERT_EQ(std::system((command + " 2>/dev/null").c_str()), 0);  // NOLINT: no other thread runs
  EXPECT_THAT(Refusal({.client_cert_file = ours.cert, .client_key_file = locked}), HasSubstr("is encrypted"));
}

}  // namespace
}  // namespace kibitz::client
