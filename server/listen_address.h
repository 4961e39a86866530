// HOST:PORT texts, and why a server could not listen there.

#ifndef KIBITZ_SERVER_LISTEN_ADDRESS_H_
#define KIBITZ_SERVER_LISTEN_ADDRESS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kibitz::server {

struct ListenAddress {
  std::string host;  // as it was written: IPv6 addresses in brackets
  int port = 0;

  std::string ToString() const;
};

// Reads "127.0.0.1:50051", "localhost:0" or "[::1]:50051", or says what is wrong.
absl::StatusOr<ListenAddress> ParseListenAddress(absl::string_view text);

// gRPC only says that it failed. This tries the address once more, and says what is wrong and what to do.
absl::Status ExplainListenFailure(const ListenAddress& address);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_LISTEN_ADDRESS_H_
