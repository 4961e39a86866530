#include "server/tls/certificates.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstddef>
#include <ctime>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "server/files/files.h"

namespace kibitz::server {
namespace {

// Chains have a few KiB; the authorities of a whole system some hundred.
constexpr std::size_t kMaxFileSize = 1 << 20;

template <auto kFree>
struct Free {
  template <typename T>
  void operator()(T* object) const {
    kFree(object);
  }
};
using Bio = std::unique_ptr<BIO, Free<&BIO_free>>;
using Certificate = std::unique_ptr<X509, Free<&X509_free>>;
using PrivateKey = std::unique_ptr<EVP_PKEY, Free<&EVP_PKEY_free>>;
using Context = std::unique_ptr<SSL_CTX, Free<&SSL_CTX_free>>;

absl::Status Fault(const std::string& file, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(file, " ", what));
}

Bio Reader(const std::string& pem) { return Bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()))); }

// The last thing that OpenSSL complained of, for people.
std::string Complaint() {
  const char* const reason = ERR_reason_error_string(ERR_peek_last_error());
  ERR_clear_error();
  return reason == nullptr ? "no reason given" : reason;
}

Certificates::Time ToTime(const ASN1_TIME* time) {
  std::tm parts{};
  // A time that cannot be read is long past.
  if (ASN1_TIME_to_tm(time, &parts) != 1) return {};
  return std::chrono::system_clock::from_time_t(timegm(&parts));
}

std::string ToText(Certificates::Time time) {
  return absl::FormatTime("%Y-%m-%d %H:%M:%S UTC", absl::FromChrono(time), absl::UTCTimeZone());
}

// All certificates of a file.
absl::StatusOr<std::vector<Certificate>> ParseAll(const std::string& file, const std::string& pem) {
  std::vector<Certificate> certificates;
  const Bio reader = Reader(pem);
  while (true) {
    Certificate certificate(PEM_read_bio_X509(reader.get(), nullptr, nullptr, nullptr));
    if (certificate == nullptr) break;
    certificates.push_back(std::move(certificate));
  }
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  const std::string complaint = Complaint();
  if (!at_end) return Fault(file, absl::StrCat("holds a certificate that cannot be read (", complaint, ")"));
  if (certificates.empty()) {
    return Fault(file, "holds no certificate: it needs PEM text with \"-----BEGIN CERTIFICATE-----\"");
  }
  return certificates;
}

absl::Status CheckTimes(const std::string& file, const X509& certificate, Certificates::Time now) {
  const Certificates::Time from = ToTime(X509_get0_notBefore(&certificate));
  const Certificates::Time until = ToTime(X509_get0_notAfter(&certificate));
  if (now > until) {
    return Fault(file, absl::StrCat("holds a certificate that expired at ", ToText(until), ": renew it"));
  }
  if (now < from) {
    return Fault(file, absl::StrCat("holds a certificate that is valid only from ", ToText(from),
                                    ": is the clock of this machine right?"));
  }
  return absl::OkStatus();
}

// Nobody is there to type a passphrase.
int NoPassphrase(char* /*buffer*/, int /*size*/, int /*writing*/, void* asked) {
  *static_cast<bool*>(asked) = true;
  return -1;
}

absl::StatusOr<PrivateKey> ParseKey(const std::string& file, const std::string& pem) {
  bool asked = false;
  PrivateKey key(PEM_read_bio_PrivateKey(Reader(pem).get(), nullptr, &NoPassphrase, &asked));
  ERR_clear_error();
  if (key != nullptr) return key;
  if (asked) {
    return Fault(file, absl::StrCat("is locked by a passphrase, and the server has nobody to ask: unlock it with ",
                                    "openssl pkey -in ", file, " -out NEW_FILE"));
  }
  return Fault(file, "holds no private key: it needs PEM text with \"-----BEGIN PRIVATE KEY-----\"");
}

absl::Status CheckServer(const TlsFiles& files, const std::vector<Certificate>& chain, EVP_PKEY& key,
                         Certificates::Time now) {
  X509& own = *chain.front();
  if (X509_check_private_key(&own, &key) != 1) {
    ERR_clear_error();
    return Fault(files.key, absl::StrCat("is not the key of the first certificate in ", files.certificate,
                                         ": give the two that were made together"));
  }
  for (const Certificate& certificate : chain) {
    if (absl::Status times = CheckTimes(files.certificate, *certificate, now); !times.ok()) return times;
  }
  if (X509_check_purpose(&own, X509_PURPOSE_SSL_SERVER, /*ca=*/0) != 1) {
    ERR_clear_error();
    return Fault(files.certificate, "begins with a certificate that is not for servers: give the server's own, first");
  }
  // What OpenSSL thinks too weak it would refuse at every connection.
  const Context context(SSL_CTX_new(TLS_server_method()));
  if (context == nullptr || SSL_CTX_use_certificate(context.get(), &own) != 1 ||
      SSL_CTX_use_PrivateKey(context.get(), &key) != 1) {
    return Fault(files.certificate, absl::StrCat("cannot be used (", Complaint(), "): make another"));
  }
  return absl::OkStatus();
}

absl::Status CheckClientCa(const std::string& file, const std::string& pem, Certificates::Time now) {
  const absl::StatusOr<std::vector<Certificate>> authorities = ParseAll(file, pem);
  if (!authorities.ok()) return authorities.status();
  for (const Certificate& authority : *authorities) {
    if (X509_check_ca(authority.get()) == 0) {
      return Fault(file, "holds a certificate that is no authority's: give the CA that signed those of the clients");
    }
    if (absl::Status times = CheckTimes(file, *authority, now); !times.ok()) return times;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Certificates> ReadCertificates(const TlsFiles& files, Certificates::Time now) {
  absl::StatusOr<std::string> chain_text = ReadFile(files.certificate, kMaxFileSize);
  if (!chain_text.ok()) return chain_text.status();
  absl::StatusOr<std::string> key_text = ReadFile(files.key, kMaxFileSize);
  if (!key_text.ok()) return key_text.status();
  const absl::StatusOr<std::vector<Certificate>> chain = ParseAll(files.certificate, *chain_text);
  if (!chain.ok()) return chain.status();
  const absl::StatusOr<PrivateKey> key = ParseKey(files.key, *key_text);
  if (!key.ok()) return key.status();
  if (absl::Status check = CheckServer(files, *chain, **key, now); !check.ok()) return check;
  absl::StatusOr<std::string> client_ca = "";
  if (!files.client_ca.empty()) {
    client_ca = ReadFile(files.client_ca, kMaxFileSize);
    if (!client_ca.ok()) return client_ca.status();
    if (absl::Status check = CheckClientCa(files.client_ca, *client_ca, now); !check.ok()) return check;
  }
  return Certificates{.chain = *std::move(chain_text),
                      .key = *std::move(key_text),
                      .client_ca = *std::move(client_ca),
                      .not_after = ToTime(X509_get0_notAfter(chain->front().get()))};
}

}  // namespace kibitz::server
