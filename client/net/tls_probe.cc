#include "client/net/tls_probe.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <functional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "client/net/openssl.h"
#include "client/net/server_address.h"
#include "client/net/tls_files.h"

namespace kibitz::client {
namespace {

using Outcome = TlsProbe::Outcome;

// A server says something at once when it is content with us, and closes when it is not.
constexpr absl::Duration kFirstWords = absl::Seconds(2);

// HTTP/2 as ALPN spells it.
constexpr std::array<unsigned char, 3> kHttp2 = {2, 'h', '2'};

std::string Day(absl::Time time) { return absl::FormatTime("%Y-%m-%d %H:%M UTC", time, absl::UTCTimeZone()); }

absl::Time ToTime(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return absl::InfinitePast();
  return absl::FromTimeT(timegm(&parts));
}

std::string ToText(const X509_NAME* name) {
  const BioPointer bio(BIO_new(BIO_s_mem()));
  X509_NAME_print_ex(bio.get(), name, 0, XN_FLAG_ONELINE & ~ASN1_STRFLGS_ESC_MSB);
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &text);  // NOLINT: OpenSSL's own type
  return std::string(text, static_cast<std::size_t>(std::max(0L, size)));
}

std::string ToText(const GENERAL_NAME& name) {
  if (name.type == GEN_DNS) {
    return std::string(reinterpret_cast<const char*>(ASN1_STRING_get0_data(name.d.dNSName)),  // NOLINT: bytes
                       static_cast<std::size_t>(ASN1_STRING_length(name.d.dNSName)));
  }
  if (name.type != GEN_IPADD) return "";
  const int family = ASN1_STRING_length(name.d.iPAddress) == 4 ? AF_INET : AF_INET6;
  std::array<char, INET6_ADDRSTRLEN> text{};
  const bool known = family == AF_INET || ASN1_STRING_length(name.d.iPAddress) == 16;
  return known ? inet_ntop(family, ASN1_STRING_get0_data(name.d.iPAddress), text.data(), text.size()) : "";
}

std::vector<std::string> NamesOf(const X509& certificate) {
  std::vector<std::string> texts;
  const NamesPointer names(
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; names != nullptr && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    std::string text = ToText(*sk_GENERAL_NAME_value(names.get(), i));
    if (!text.empty()) texts.push_back(std::move(text));
  }
  return texts;
}

// OpenSSL writes to a socket as to any file: a peer that has gone would end this program by a signal. While this lives
// it does not reach the thread.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    constexpr timespec kNow{};
    while (sigismember(&before_, SIGPIPE) == 0 && sigtimedwait(&pipe_, nullptr, &kNow) == SIGPIPE) continue;
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
};

// One handshake, and what is known of it as it goes on.
class Handshake {
 public:
  Handshake(std::string server, const TlsOptions& options, absl::Time deadline)
      : server_(std::move(server)), options_(options), deadline_(deadline) {}

  TlsProbe Run() {
    if (Connect() && SetUp() && Greet() && Trust()) Listen();
    ERR_clear_error();
    return std::move(probe_);
  }

 private:
  // Each returns whether to go on.
  bool Connect();
  bool SetUp();
  bool Greet();
  bool Trust();
  bool Listen();

  bool End(Outcome outcome, std::string words) {
    probe_.outcome = outcome;
    probe_.words = std::move(words);
    return false;
  }
  bool EndRefused();
  // Repeats a step of OpenSSL's until it is done, or fails with what SSL_get_error says of it.
  int Drive(absl::Time deadline, const std::function<int(SSL*)>& step);
  void NameServer();
  void NoteCertificate();

  const std::string server_;
  const TlsOptions& options_;
  const absl::Time deadline_;
  TlsProbe probe_;
  ServerAddress address_;
  std::optional<Socket> socket_;
  SslContextPointer context_;
  SslPointer ssl_;
  bool ours_is_wanted_ = false;
};

bool Handshake::Connect() {
  const auto address = ParseServerAddress(server_);
  if (!address) return End(Outcome::kUnreachable, absl::StrCat("'", server_, "' is not HOST:PORT"));
  address_ = *address;
  const auto resolved = ResolvedAddress::Resolve(address_);
  if (!resolved.ok()) return End(Outcome::kUnreachable, std::string(resolved.status().message()));
  auto socket = resolved->Connect(deadline_);
  if (!socket.ok()) return End(Outcome::kUnreachable, std::string(socket.status().message()));
  socket_ = *std::move(socket);
  return true;
}

bool Handshake::SetUp() {
  // What is wrong with the files is told before anybody is called.
  if (const auto files = ReadTlsFiles(options_); !files.ok()) {
    return End(Outcome::kUnreachable, std::string(files.status().message()));
  }
  context_.reset(SSL_CTX_new(TLS_client_method()));
  // Here a certificate is judged after the handshake, so that it can be looked at whatever it is.
  SSL_CTX_set_verify(context_.get(), SSL_VERIFY_NONE, nullptr);
  X509_STORE_set_flags(SSL_CTX_get_cert_store(context_.get()), X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_TRUSTED_FIRST);
  if (options_.ca_file.empty()) {
    SSL_CTX_set_default_verify_paths(context_.get());
  } else {
    SSL_CTX_load_verify_file(context_.get(), options_.ca_file.c_str());
  }
  if (!options_.client_cert_file.empty()) {
    SSL_CTX_use_certificate_chain_file(context_.get(), options_.client_cert_file.c_str());
    SSL_CTX_use_PrivateKey_file(context_.get(), options_.client_key_file.c_str(), SSL_FILETYPE_PEM);
  }
  // Asked only where we have none.
  SSL_CTX_set_client_cert_cb(context_.get(), [](SSL* ssl, X509** /*certificate*/, EVP_PKEY** /*key*/) {
    static_cast<Handshake*>(SSL_get_app_data(ssl))->ours_is_wanted_ = true;
    return 0;
  });
  ssl_.reset(SSL_new(context_.get()));
  SSL_set_app_data(ssl_.get(), this);
  SSL_set_fd(ssl_.get(), socket_->get());
  SSL_set_alpn_protos(ssl_.get(), kHttp2.data(), kHttp2.size());
  NameServer();
  return true;
}

// An address is no name: it is not sent, and it is looked for among the addresses of the certificate.
void Handshake::NameServer() {
  const std::string& name = options_.server_name.empty() ? address_.host : options_.server_name;
  if (X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl_.get()), name.c_str()) == 1) return;
  SSL_set_tlsext_host_name(ssl_.get(), name.c_str());
  SSL_set1_host(ssl_.get(), name.c_str());
}

int Handshake::Drive(absl::Time deadline, const std::function<int(SSL*)>& step) {
  while (true) {
    ERR_clear_error();
    const int result = step(ssl_.get());
    if (result > 0) return SSL_ERROR_NONE;
    const int error = SSL_get_error(ssl_.get(), result);
    const bool waits = error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
    const auto events = static_cast<short>(error == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT);  // NOLINT: poll's own
    if (!waits || !AwaitSocket(*socket_, events, deadline)) return error;
  }
}

bool Handshake::Greet() {
  const int error = Drive(deadline_, SSL_connect);
  NoteCertificate();
  if (error == SSL_ERROR_NONE) {
    probe_.version = SSL_get_version(ssl_.get());
    return true;
  }
  if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) {
    return End(Outcome::kSilent, absl::StrCat(server_, " takes connections, but does not answer in TLS"));
  }
  if (probe_.certificate) return EndRefused();
  return End(Outcome::kPlaintext,
             absl::StrCat(server_, " does not speak TLS: leave out --tls and --tls-ca, or call the port that does"));
}

// After its certificate, a server that ends the handshake has a reason: ours, as a rule.
bool Handshake::EndRefused() {
  if (ours_is_wanted_) {
    return End(Outcome::kWantsOurs,
               absl::StrCat(server_, " wants a client's certificate: --tls-client-cert and --tls-client-key"));
  }
  const char* const reason = ERR_reason_error_string(ERR_peek_error());
  return End(Outcome::kRefusesOurs, absl::StrCat(server_, " ended the TLS handshake",
                                                 options_.client_cert_file.empty()
                                                     ? ""
                                                     : absl::StrCat(": it may not accept the client's certificate ",
                                                                    options_.client_cert_file),
                                                 reason == nullptr ? "" : absl::StrCat(" (", reason, ")")));
}

void Handshake::NoteCertificate() {
  const X509Pointer certificate(SSL_get1_peer_certificate(ssl_.get()));
  if (certificate == nullptr) return;
  probe_.certificate = ServerCertificate{.issuer = ToText(X509_get_issuer_name(certificate.get())),
                                         .names = NamesOf(*certificate),
                                         .not_before = ToTime(X509_get0_notBefore(certificate.get())),
                                         .not_after = ToTime(X509_get0_notAfter(certificate.get()))};
}

bool Handshake::Trust() {
  const std::string whose = absl::StrCat("the certificate of ", server_);
  const ServerCertificate& certificate = *probe_.certificate;
  switch (const long result = SSL_get_verify_result(ssl_.get())) {  // NOLINT: OpenSSL's own type
    case X509_V_OK:
      return true;
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return End(Outcome::kWrongTime,
                 absl::StrCat(whose, " expired on ", Day(certificate.not_after),
                              ": its operator must renew it, if the clock of this machine is right"));
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return End(Outcome::kWrongTime, absl::StrCat(whose, " is valid from ", Day(certificate.not_before),
                                                   " only: is the clock of this machine right?"));
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return End(Outcome::kWrongName,
                 absl::StrCat(whose, " is for ",
                              certificate.names.empty() ? "no name at all" : absl::StrJoin(certificate.names, ", "),
                              ": call the server by a name of its certificate"));
    default:
      return End(Outcome::kUntrusted,
                 absl::StrCat(whose, " is signed by ", certificate.issuer, ", who is not trusted by ",
                              options_.ca_file.empty() ? "this machine" : options_.ca_file, " (",
                              X509_verify_cert_error_string(result), "): name the file of its CA by --tls-ca"));
  }
}

// In TLS 1.3 the client has done its part before the server has looked at its certificate.
bool Handshake::Listen() {
  const unsigned char* protocol = nullptr;
  unsigned int size = 0;
  SSL_get0_alpn_selected(ssl_.get(), &protocol, &size);
  if (size == 0) {
    return End(Outcome::kOtherProtocols, absl::StrCat(server_, " speaks TLS, but not HTTP/2: it is no Kibitz server"));
  }
  char byte = 0;
  const absl::Time until = std::min(deadline_, absl::Now() + kFirstWords);
  const int error = Drive(until, [&](SSL* ssl) { return SSL_peek(ssl, &byte, 1); });
  const bool closed = error != SSL_ERROR_NONE && error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE;
  return closed ? EndRefused() : true;
}

}  // namespace

TlsProbe ProbeTls(const std::string& server, const TlsOptions& options, absl::Time deadline) {
  const NoPipeSignal no_pipe_signal;
  return Handshake(server, options, deadline).Run();
}

}  // namespace kibitz::client
