// The flags of every command that may call a server.

#ifndef KIBITZ_CLIENT_CLI_CONNECTION_FLAGS_H_
#define KIBITZ_CLIENT_CLI_CONNECTION_FLAGS_H_

#include <CLI/App.hpp>
#include <string>

#include "absl/status/statusor.h"
#include "client/connection.h"

namespace kibitz::client {

// As they are written.
struct ConnectionFlags {
  std::string server{};
  std::string key_file{};
};

// Adds --server and --key-file, with KIBITZ_SERVER and KIBITZ_KEY_FILE as their defaults.
void AddConnectionFlags(CLI::App& command, ConnectionFlags& flags);

// What they mean. The key is that of the file, or without one that of the environment, KIBITZ_KEY: on the command line
// it would stand in the list of processes for all to see. Fails when the file gives no key.
absl::StatusOr<ConnectionOptions> ConnectionOf(const ConnectionFlags& flags);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_CONNECTION_FLAGS_H_
