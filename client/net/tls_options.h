// Whether and how calls are encrypted.

#ifndef KIBITZ_CLIENT_NET_TLS_OPTIONS_H_
#define KIBITZ_CLIENT_NET_TLS_OPTIONS_H_

#include <string>

namespace kibitz::client {

struct TlsOptions {
  // Whether to speak TLS. Any of the files below says so too.
  bool on = false;
  // The certificates of those who may have signed the server's, in PEM. Empty: the system's.
  std::string ca_file{};
  // Our own certificate and its private key, in PEM, for servers that want one. Both or neither.
  std::string client_cert_file{};
  std::string client_key_file{};
  // The name that the server's certificate must have. Empty: that of its address.
  std::string server_name{};

  bool IsOn() const { return on || !ca_file.empty() || !client_cert_file.empty() || !client_key_file.empty(); }

  friend bool operator==(const TlsOptions&, const TlsOptions&) = default;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_NET_TLS_OPTIONS_H_
