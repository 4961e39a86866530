// A look at how a server does TLS: gRPC says only that a handshake failed, this says why.

#ifndef KIBITZ_CLIENT_NET_TLS_PROBE_H_
#define KIBITZ_CLIENT_NET_TLS_PROBE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "client/net/tls_options.h"

namespace kibitz::client {

struct ServerCertificate {
  // Who signed it.
  std::string issuer;
  // The host names and addresses that it is for.
  std::vector<std::string> names;
  absl::Time not_before;
  absl::Time not_after;
};

struct TlsProbe {
  enum class Outcome : std::uint8_t {
    kGood,
    kUnreachable,     // no connection
    kSilent,          // a connection, but no answer in time
    kPlaintext,       // an answer that is no TLS
    kUntrusted,       // nobody whom we trust signed the certificate
    kWrongTime,       // expired, or not valid yet
    kWrongName,       // another server's
    kWantsOurs,       // the server wants a client's certificate
    kRefusesOurs,     // and not this one
    kOtherProtocols,  // TLS, but not for HTTP/2
  };
  Outcome outcome = Outcome::kGood;
  // What is wrong and what to do about it. Empty if all is well.
  std::string words{};
  // Such as "TLSv1.3". Empty without a handshake.
  std::string version{};
  std::optional<ServerCertificate> certificate{};
};

// Makes one connection to HOST:PORT and one handshake on it, as a call by these options would.
TlsProbe ProbeTls(const std::string& server, const TlsOptions& options, absl::Time deadline);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_NET_TLS_PROBE_H_
