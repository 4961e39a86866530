// An authority that signs certificates.

#ifndef KIBITZ_CLIENT_CERTIFICATES_AUTHORITY_H_
#define KIBITZ_CLIENT_CERTIFICATES_AUTHORITY_H_

#include <openssl/evp.h>
#include <openssl/x509.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace kibitz::client {

// A certificate and its private key, as PEM text.
struct CertifiedKey {
  std::string certificate;
  std::string key;
};

struct Validity {
  absl::Time from;
  absl::Time until;
};

// Keys are of ECDSA on the curve P-256.
class Authority {
 public:
  enum class Use : std::uint8_t { kServer, kClient };

  static absl::StatusOr<Authority> Create(const std::string& name, const Validity& validity);

  // Certifies a new key. `hosts` are the names and addresses by which a server is called; a bad one is an error.
  absl::StatusOr<CertifiedKey> Issue(Use use, const std::string& name, const std::vector<std::string>& hosts,
                                     const Validity& validity) const;

  // Its own.
  absl::StatusOr<CertifiedKey> ToPem() const;

 private:
  using Certificate = std::unique_ptr<X509, void (*)(X509*)>;
  using Key = std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)>;

  Authority(Certificate certificate, Key key) : certificate_(std::move(certificate)), key_(std::move(key)) {}

  Certificate certificate_;
  Key key_;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CERTIFICATES_AUTHORITY_H_
