#include "client/certificates/authority.h"

#include <arpa/inet.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace kibitz::client {
namespace {

struct Extension {
  int kind;
  std::string value;
};

absl::Status Failed(absl::string_view what) {
  const char* const reason = ERR_reason_error_string(ERR_peek_last_error());
  ERR_clear_error();
  return absl::InternalError(
      absl::StrCat("OpenSSL cannot ", what, ": ", reason == nullptr ? "no reason given" : reason));
}

// 128 random bits, so that no two of one authority are alike.
bool SetSerialNumber(X509& certificate) {
  const std::unique_ptr<BIGNUM, void (*)(BIGNUM*)> number(BN_new(), BN_free);
  return number != nullptr && BN_rand(number.get(), 128, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1 &&
         BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(&certificate)) != nullptr;
}

bool SetValidity(X509& certificate, const Validity& validity) {
  return ASN1_TIME_set(X509_getm_notBefore(&certificate), absl::ToTimeT(validity.from)) != nullptr &&
         ASN1_TIME_set(X509_getm_notAfter(&certificate), absl::ToTimeT(validity.until)) != nullptr;
}

bool SetName(X509& certificate, const std::string& name) {
  return X509_NAME_add_entry_by_txt(X509_get_subject_name(&certificate), "CN", MBSTRING_UTF8,
                                    reinterpret_cast<const unsigned char*>(name.data()), static_cast<int>(name.size()),
                                    /*loc=*/-1, /*set=*/0) == 1;
}

bool AddExtension(X509& certificate, X509& issuer, const Extension& extension) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, &issuer, &certificate, nullptr, nullptr, 0);
  const std::unique_ptr<X509_EXTENSION, void (*)(X509_EXTENSION*)> made(
      X509V3_EXT_conf_nid(nullptr, &context, extension.kind, extension.value.c_str()), X509_EXTENSION_free);
  return made != nullptr && X509_add_ext(&certificate, made.get(), /*loc=*/-1) == 1;
}

// What a certificate says, unsigned but for the issuer's name.
absl::Status Fill(X509& certificate, X509& issuer, EVP_PKEY& key, const std::string& name, const Validity& validity,
                  const std::vector<Extension>& extensions) {
  constexpr long kVersion3 = 2;
  bool ok = X509_set_version(&certificate, kVersion3) == 1 && SetSerialNumber(certificate) &&
            SetValidity(certificate, validity) && SetName(certificate, name) &&
            X509_set_pubkey(&certificate, &key) == 1 &&
            X509_set_issuer_name(&certificate, X509_get_subject_name(&issuer)) == 1;
  for (const Extension& extension : extensions) ok = ok && AddExtension(certificate, issuer, extension);
  return ok ? absl::OkStatus() : Failed("make a certificate");
}

template <typename Write>
absl::StatusOr<std::string> ToText(Write write) {
  const std::unique_ptr<BIO, int (*)(BIO*)> memory(BIO_new(BIO_s_mem()), BIO_free);
  if (memory == nullptr || write(memory.get()) != 1) return Failed("write PEM text");
  char* text = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &text);
  return std::string(text, static_cast<std::size_t>(size));
}

absl::StatusOr<CertifiedKey> Pem(X509& certificate, EVP_PKEY& key) {
  absl::StatusOr<std::string> certificate_text = ToText([&](BIO* to) { return PEM_write_bio_X509(to, &certificate); });
  if (!certificate_text.ok()) return certificate_text.status();
  absl::StatusOr<std::string> key_text =
      ToText([&](BIO* to) { return PEM_write_bio_PrivateKey(to, &key, nullptr, nullptr, 0, nullptr, nullptr); });
  if (!key_text.ok()) return key_text.status();
  return CertifiedKey{.certificate = *std::move(certificate_text), .key = *std::move(key_text)};
}

bool IsAddress(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> address;
  return inet_pton(AF_INET, host.c_str(), address.data()) == 1 ||
         inet_pton(AF_INET6, host.c_str(), address.data()) == 1;
}

// As OpenSSL reads them: "DNS:localhost,IP:::1". Commas and such would say something else.
absl::StatusOr<std::string> AlternativeNames(const std::vector<std::string>& hosts) {
  std::vector<std::string> names;
  for (const std::string& host : hosts) {
    const bool plain = std::all_of(host.begin(), host.end(),
                                   [](char c) { return absl::ascii_isalnum(c) || c == '.' || c == '-' || c == '*'; });
    if (!IsAddress(host) && (host.empty() || !plain)) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", host, "' is no host name or address, such as chess.example.org, *.example.org or ::1"));
    }
    names.push_back(absl::StrCat(IsAddress(host) ? "IP:" : "DNS:", host));
  }
  return absl::StrJoin(names, ",");
}

}  // namespace

absl::StatusOr<Authority> Authority::Create(const std::string& name, const Validity& validity) {
  Key key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  Certificate certificate(X509_new(), X509_free);
  if (key == nullptr || certificate == nullptr) return Failed("make a key");
  absl::Status filled = Fill(*certificate, *certificate, *key, name, validity,
                             {{NID_basic_constraints, "critical,CA:TRUE,pathlen:0"},
                              {NID_key_usage, "critical,keyCertSign,cRLSign"},
                              {NID_subject_key_identifier, "hash"}});
  if (!filled.ok()) return filled;
  if (X509_sign(certificate.get(), key.get(), EVP_sha256()) == 0) return Failed("sign a certificate");
  return Authority(std::move(certificate), std::move(key));
}

absl::StatusOr<CertifiedKey> Authority::Issue(Use use, const std::string& name, const std::vector<std::string>& hosts,
                                              const Validity& validity) const {
  const absl::StatusOr<std::string> names = AlternativeNames(hosts);
  if (!names.ok()) return names.status();
  std::vector<Extension> extensions{{NID_basic_constraints, "critical,CA:FALSE"},
                                    {NID_key_usage, "critical,digitalSignature"},
                                    {NID_ext_key_usage, use == Use::kServer ? "serverAuth" : "clientAuth"},
                                    {NID_authority_key_identifier, "keyid"}};
  if (!names->empty()) extensions.push_back({NID_subject_alt_name, *names});
  const Key key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const Certificate certificate(X509_new(), X509_free);
  if (key == nullptr || certificate == nullptr) return Failed("make a key");
  absl::Status filled = Fill(*certificate, *certificate_, *key, name, validity, extensions);
  if (!filled.ok()) return filled;
  if (X509_sign(certificate.get(), key_.get(), EVP_sha256()) == 0) return Failed("sign a certificate");
  return Pem(*certificate, *key);
}

absl::StatusOr<CertifiedKey> Authority::ToPem() const { return Pem(*certificate_, *key_); }

}  // namespace kibitz::client
