// HOST:PORT texts, and the sockets that listen there.

#ifndef KIBITZ_SERVER_RPC_LISTEN_ADDRESS_H_
#define KIBITZ_SERVER_RPC_LISTEN_ADDRESS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "server/files/file_descriptor.h"

namespace kibitz::server {

struct ListenAddress {
  std::string host;  // as it was written: IPv6 addresses in brackets
  int port = 0;

  std::string ToString() const;
};

// Reads "127.0.0.1:50051", "localhost:0" or "[::1]:50051", or says what is wrong.
absl::StatusOr<ListenAddress> ParseListenAddress(absl::string_view text);

struct ListeningSockets {
  std::vector<FileDescriptor> sockets;  // one for each address of the host
  int port = 0;                         // all have the same
  bool loopback = true;                 // only this machine reaches them
};

// Listens on every address of the host. An error says what is wrong and what to do.
absl::StatusOr<ListeningSockets> OpenSockets(const ListenAddress& address);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_LISTEN_ADDRESS_H_
