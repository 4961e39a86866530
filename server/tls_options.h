// What the options say about TLS.

#ifndef KIBITZ_SERVER_TLS_OPTIONS_H_
#define KIBITZ_SERVER_TLS_OPTIONS_H_

#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/rpc/listen_address.h"
#include "server/server_options.h"
#include "server/tls/certificates.h"

namespace kibitz::server {

// The files of certificates. Nothing: there is to be no TLS. An error says what is missing.
absl::StatusOr<std::optional<TlsFiles>> TlsFilesOf(const ServerOptions& options);

// Why a server without TLS does not listen where others than its machine can reach it, and what to do.
absl::Status PlaintextRefused(const ListenAddress& address);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_TLS_OPTIONS_H_
