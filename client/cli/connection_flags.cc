#include "client/cli/connection_flags.h"

#include <cstdlib>
#include <utility>

#include "client/key.h"

namespace kibitz::client {
namespace {

// An empty name is allowed: it undoes KIBITZ_SERVER.
std::string CheckServerName(const std::string& server) {
  const std::size_t colon = server.rfind(':');
  const bool has_port = colon != std::string::npos && colon > 0 && colon + 1 < server.size();
  return server.empty() || has_port ? "" : "'" + server + "' is not HOST:PORT, such as 127.0.0.1:50051";
}

absl::StatusOr<std::string> KeyOf(const ConnectionFlags& flags) {
  if (!flags.key_file.empty()) return ReadKeyFile(flags.key_file);
  const char* const set = std::getenv("KIBITZ_KEY");
  const std::string key = set == nullptr ? "" : set;
  if (CheckKey(key).ok()) return key;
  return absl::InvalidArgumentError("KIBITZ_KEY is more than a word of printable ASCII: set it to the key alone");
}

}  // namespace

void AddConnectionFlags(CLI::App& command, ConnectionFlags& flags) {
  command.add_option("--server", flags.server, "Call this server instead of computing in this process")
      ->type_name("HOST:PORT")
      ->envname("KIBITZ_SERVER")
      ->check(CLI::Validator(CheckServerName, ""));
  command.add_option("--key-file", flags.key_file, "Tell the server who calls by the key in this file, or KIBITZ_KEY")
      ->type_name("FILE")
      ->envname("KIBITZ_KEY_FILE");
}

absl::StatusOr<ConnectionOptions> ConnectionOf(const ConnectionFlags& flags) {
  absl::StatusOr<std::string> key = KeyOf(flags);
  if (!key.ok()) return key.status();
  return ConnectionOptions{.server = flags.server, .key = *std::move(key)};
}

}  // namespace kibitz::client
