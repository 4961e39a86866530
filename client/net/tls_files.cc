#include "client/net/tls_files.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "absl/strings/str_cat.h"
#include "client/net/openssl.h"

namespace kibitz::client {
namespace {

// All the world's authorities take less.
constexpr std::size_t kMaxFileSize = std::size_t{4} << 20;

absl::Status Unusable(absl::string_view what, const std::string& path, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("the ", what, " ", path, " ", why));
}

absl::StatusOr<std::string> ReadFile(absl::string_view what, const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "r"), std::fclose);
  std::string bytes(kMaxFileSize + 1, '\0');
  bytes.resize(file == nullptr ? 0 : std::fread(bytes.data(), 1, bytes.size(), file.get()));
  if (file == nullptr || std::ferror(file.get()) != 0) {
    return Unusable(what, path, absl::StrCat("cannot be read (", std::strerror(errno), ")"));
  }
  if (bytes.size() > kMaxFileSize) return Unusable(what, path, "is too large");
  return bytes;
}

// OpenSSL would ask for it on the terminal, and gRPC cannot use it at all.
int RefusePassword(char* /*buffer*/, int /*size*/, int /*writing*/, void* asked) {
  *static_cast<bool*>(asked) = true;
  return 0;
}

X509Pointer FirstCertificate(const std::string& pem) {
  const BioPointer bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  X509Pointer certificate(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
  ERR_clear_error();
  return certificate;
}

absl::StatusOr<std::string> ReadCertificates(absl::string_view what, const std::string& path) {
  absl::StatusOr<std::string> pem = ReadFile(what, path);
  if (pem.ok() && FirstCertificate(*pem) == nullptr) return Unusable(what, path, "holds no certificate in PEM");
  return pem;
}

absl::StatusOr<std::string> ReadPrivateKey(const std::string& path, const std::string& cert_path,
                                           const std::string& cert) {
  constexpr char kWhat[] = "client's private key";
  absl::StatusOr<std::string> pem = ReadFile(kWhat, path);
  if (!pem.ok()) return pem;
  const BioPointer bio(BIO_new_mem_buf(pem->data(), static_cast<int>(pem->size())));
  bool encrypted = false;
  const KeyPointer key(PEM_read_bio_PrivateKey(bio.get(), nullptr, RefusePassword, &encrypted));
  const bool fits = key != nullptr && X509_check_private_key(FirstCertificate(cert).get(), key.get()) == 1;
  ERR_clear_error();
  if (encrypted) return Unusable(kWhat, path, "is encrypted: write it without a password, readable by you alone");
  if (key == nullptr) return Unusable(kWhat, path, "holds no private key in PEM");
  if (!fits) return Unusable(kWhat, path, absl::StrCat("does not belong to the certificate ", cert_path));
  return pem;
}

}  // namespace

absl::StatusOr<TlsFiles> ReadTlsFiles(const TlsOptions& options) {
  TlsFiles files;
  if (!options.ca_file.empty()) {
    absl::StatusOr<std::string> ca = ReadCertificates("CA file", options.ca_file);
    if (!ca.ok()) return ca.status();
    files.ca = *std::move(ca);
  }
  if (options.client_cert_file.empty() != options.client_key_file.empty()) {
    return absl::InvalidArgumentError(
        "a client's certificate and its private key go together: --tls-client-cert and --tls-client-key");
  }
  if (options.client_cert_file.empty()) return files;
  absl::StatusOr<std::string> cert = ReadCertificates("client's certificate", options.client_cert_file);
  if (!cert.ok()) return cert.status();
  absl::StatusOr<std::string> key = ReadPrivateKey(options.client_key_file, options.client_cert_file, *cert);
  if (!key.ok()) return key.status();
  files.client_cert = *std::move(cert);
  files.client_key = *std::move(key);
  return files;
}

}  // namespace kibitz::client
