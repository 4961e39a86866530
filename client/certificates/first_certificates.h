// The files for a first try of TLS: an authority of one's own, a server's certificate and a client's.

#ifndef KIBITZ_CLIENT_CERTIFICATES_FIRST_CERTIFICATES_H_
#define KIBITZ_CLIENT_CERTIFICATES_FIRST_CERTIFICATES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace kibitz::client {

struct FirstCertificates {
  std::string folder;
  // The names and addresses by which the server is called.
  std::vector<std::string> hosts{"localhost", "127.0.0.1", "::1"};
  int days = 365;

  // The files: PEM text, for their owner alone.
  std::string CaCertificate() const { return folder + "/ca.pem"; }
  std::string CaKey() const { return folder + "/ca.key"; }
  std::string ServerCertificate() const { return folder + "/server.pem"; }
  std::string ServerKey() const { return folder + "/server.key"; }
  std::string ClientCertificate() const { return folder + "/client.pem"; }
  std::string ClientKey() const { return folder + "/client.key"; }
};

// Makes the folder and writes the files. Where one of them is there already nothing is written.
absl::Status WriteFirstCertificates(const FirstCertificates& wanted, absl::Time now);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CERTIFICATES_FIRST_CERTIFICATES_H_
