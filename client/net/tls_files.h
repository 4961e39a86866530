// What the files of TLS hold, checked before anybody relies on it.

#ifndef KIBITZ_CLIENT_NET_TLS_FILES_H_
#define KIBITZ_CLIENT_NET_TLS_FILES_H_

#include <string>

#include "absl/status/statusor.h"
#include "client/net/tls_options.h"

namespace kibitz::client {

// In PEM. Empty where no file is named.
struct TlsFiles {
  std::string ca;
  std::string client_cert;
  std::string client_key;
};

// Reads the files and sees to it that they hold what they should: certificates, and a key that fits. An error names the
// file and says what to do. No error shows what is in it.
absl::StatusOr<TlsFiles> ReadTlsFiles(const TlsOptions& options);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_NET_TLS_FILES_H_
