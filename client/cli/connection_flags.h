// The flags of every command that may call a server.

#ifndef KIBITZ_CLIENT_CLI_CONNECTION_FLAGS_H_
#define KIBITZ_CLIENT_CLI_CONNECTION_FLAGS_H_

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/connection.h"
#include "client/net/tls_options.h"

namespace kibitz::client {

// As they are written.
struct ConnectionFlags {
  std::string server{};
  std::string key_file{};
  TlsOptions tls{};
  bool insecure = false;
};

// Adds --server, --key-file, --tls, --tls-ca and the others of TLS, each with its variable as the default:
// KIBITZ_SERVER, KIBITZ_KEY_FILE, KIBITZ_TLS_CA. Only --insecure has to be said each time.
void AddConnectionFlags(CLI::App& command, ConnectionFlags& flags);

// What they mean. The key is that of the file, or without one that of the environment, KIBITZ_KEY: on the command line
// it would stand in the list of processes for all to see. Fails when the file gives no key.
absl::StatusOr<ConnectionOptions> ConnectionOf(const ConnectionFlags& flags);

// The same flags, but for the server, as words for another program of this kind. Paths are absolute: it may be started
// in another folder.
std::vector<std::string> FlagWords(const ConnectionFlags& flags);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_CONNECTION_FLAGS_H_
