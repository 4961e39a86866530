#include "tests/client/certificates.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

namespace kibitz::client {
namespace {

void Run(const std::string& command) {
  ASSERT_EQ(std::system((command + " 2>/dev/null").c_str()), 0) << command;  // NOLINT: no other thread runs yet
}

void MakeKey(const std::string& path) { Run("openssl ecparam -name prime256v1 -genkey -noout -out '" + path + "'"); }

}  // namespace

TestAuthority::TestAuthority(std::string name) : prefix_(::testing::TempDir() + "/" + std::move(name)) {
  own_ = {.cert = prefix_ + ".pem", .key = prefix_ + ".key"};
  MakeKey(own_.key);
  Run("openssl req -x509 -new -key '" + own_.key + "' -subj '/CN=authority' -days 2 -out '" + own_.cert + "'");
}

CertificateFiles TestAuthority::Sign(const std::string& names, int days) {
  const std::string base = prefix_ + "-" + std::to_string(++count_);
  CertificateFiles files{.cert = base + ".pem", .key = base + ".key"};
  MakeKey(files.key);
  Run("openssl req -new -key '" + files.key + "' -subj '/CN=test' -addext 'subjectAltName=" + names +
      "' | openssl x509 -req -CA '" + own_.cert + "' -CAkey '" + own_.key + "' -CAcreateserial -copy_extensions copy" +
      " -days " + std::to_string(days) + " -out '" + files.cert + "'");
  return files;
}

std::string ReadWholeFile(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::shared_ptr<grpc::ServerCredentials> ServerCredentialsOf(const CertificateFiles& files,
                                                             const std::string& client_ca) {
  grpc::SslServerCredentialsOptions options(client_ca.empty()
                                                ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
                                                : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_root_certs = client_ca;
  options.pem_key_cert_pairs = {{.private_key = ReadWholeFile(files.key), .cert_chain = ReadWholeFile(files.cert)}};
  return grpc::SslServerCredentials(options);
}

}  // namespace kibitz::client
