// Certificates for tests, made anew by openssl(1) in each.

#ifndef KIBITZ_TESTS_CLIENT_CERTIFICATES_H_
#define KIBITZ_TESTS_CLIENT_CERTIFICATES_H_

#include <grpcpp/security/server_credentials.h>

#include <memory>
#include <string>

namespace kibitz::client {

// A certificate and its private key, in PEM.
struct CertificateFiles {
  std::string cert;
  std::string key;
};

// An authority that signs what it is asked to. Its files are in a folder of the test's own.
class TestAuthority {
 public:
  // `name` tells its files, and those that it signs, from another's.
  explicit TestAuthority(std::string name);

  // The file of its own certificate.
  const std::string& ca_file() const { return own_.cert; }
  // Signs a certificate for names such as "DNS:localhost,IP:127.0.0.1". A negative number of days: it has expired.
  CertificateFiles Sign(const std::string& names, int days = 2);

 private:
  const std::string prefix_;
  int count_ = 0;
  CertificateFiles own_;
};

std::string ReadWholeFile(const std::string& path);

// What a server shows by such a certificate. With `client_ca`, the text of a file, it wants one of its clients too.
std::shared_ptr<grpc::ServerCredentials> ServerCredentialsOf(const CertificateFiles& files,
                                                             const std::string& client_ca = "");

}  // namespace kibitz::client

#endif  // KIBITZ_TESTS_CLIENT_CERTIFICATES_H_
