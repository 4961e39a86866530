#include "server/tls_options.h"

#include "absl/strings/str_cat.h"

namespace kibitz::server {

absl::StatusOr<std::optional<TlsFiles>> TlsFilesOf(const ServerOptions& options) {
  if (options.tls_cert.empty() && options.tls_key.empty() && options.tls_client_ca.empty()) return std::nullopt;
  if (options.tls_cert.empty() || options.tls_key.empty()) {
    return absl::InvalidArgumentError("TLS needs both --tls-cert and --tls-key");
  }
  return TlsFiles{.certificate = options.tls_cert, .key = options.tls_key, .client_ca = options.tls_client_ca};
}

absl::Status PlaintextRefused(const ListenAddress& address) {
  return absl::InvalidArgumentError(absl::StrCat(
      "others than this machine can reach ", address.ToString(), ", and without TLS they can read and change every ",
      "call: give --tls-cert and --tls-key (`kibitz tls init` makes a first pair), listen on 127.0.0.1, or say ",
      "--insecure if the network or a proxy protects the way"));
}

}  // namespace kibitz::server
