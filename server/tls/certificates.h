// A server's certificate, its key and the authorities of its clients, read from files and checked.

#ifndef KIBITZ_SERVER_TLS_CERTIFICATES_H_
#define KIBITZ_SERVER_TLS_CERTIFICATES_H_

#include <chrono>
#include <string>

#include "absl/status/statusor.h"

namespace kibitz::server {

// PEM files.
struct TlsFiles {
  std::string certificate;  // the server's, and after it those that lead to its authority
  std::string key;
  std::string client_ca;  // whose clients are let in. Empty: no client has to show a certificate
};

// What stands in such files.
struct Certificates {
  using Time = std::chrono::system_clock::time_point;

  std::string chain;
  std::string key;
  std::string client_ca;
  // When the server's own expires.
  Time not_after;
};

// Reads and checks what a server needs before it begins: that all is there, belongs together and is valid at that time.
// An error names the file at fault and says what to do.
absl::StatusOr<Certificates> ReadCertificates(const TlsFiles& files, Certificates::Time now);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_TLS_CERTIFICATES_H_
