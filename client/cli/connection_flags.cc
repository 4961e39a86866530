#include "client/cli/connection_flags.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "client/key.h"
#include "client/net/server_address.h"

namespace kibitz::client {
namespace {

// An empty name is allowed: it undoes KIBITZ_SERVER.
std::string CheckServerName(const std::string& server) {
  const bool is_address = server.empty() || ParseServerAddress(server);
  return is_address ? "" : "'" + server + "' is not HOST:PORT, such as 127.0.0.1:50051";
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
  const auto add_file = [&](const std::string& name, std::string& value, const std::string& help,
                            const std::string& variable) {
    command.add_option(name, value, help)->type_name("FILE")->envname(variable);
  };
  command.add_option("--server", flags.server, "Call this server instead of computing in this process")
      ->type_name("HOST:PORT")
      ->envname("KIBITZ_SERVER")
      ->check(CLI::Validator(CheckServerName, ""));
  add_file("--key-file", flags.key_file, "Tell the server who calls by the key in this file, or KIBITZ_KEY",
           "KIBITZ_KEY_FILE");
  command.add_flag("--tls", flags.tls.on, "Speak TLS, and trust whom this machine trusts")->envname("KIBITZ_TLS");
  add_file("--tls-ca", flags.tls.ca_file, "Speak TLS, and trust the certificates in this file", "KIBITZ_TLS_CA");
  add_file("--tls-client-cert", flags.tls.client_cert_file, "Show the server this certificate",
           "KIBITZ_TLS_CLIENT_CERT");
  add_file("--tls-client-key", flags.tls.client_key_file, "The private key of that certificate",
           "KIBITZ_TLS_CLIENT_KEY");
  command.add_option("--tls-server-name", flags.tls.server_name, "The name that the server's certificate must have")
      ->type_name("NAME")
      ->envname("KIBITZ_TLS_SERVER_NAME");
  command.add_flag("--insecure", flags.insecure, "Send the key without TLS to another machine, for all to read");
}

absl::StatusOr<ConnectionOptions> ConnectionOf(const ConnectionFlags& flags) {
  absl::StatusOr<std::string> key = KeyOf(flags);
  if (!key.ok()) return key.status();
  return ConnectionOptions{
      .server = flags.server, .key = *std::move(key), .tls = flags.tls, .insecure = flags.insecure};
}

std::vector<std::string> FlagWords(const ConnectionFlags& flags) {
  std::vector<std::string> words;
  const auto add_file = [&](const char* name, const std::string& file) {
    if (!file.empty()) words.insert(words.end(), {name, std::filesystem::absolute(file).string()});
  };
  add_file("--key-file", flags.key_file);
  if (flags.tls.on) words.emplace_back("--tls");
  add_file("--tls-ca", flags.tls.ca_file);
  add_file("--tls-client-cert", flags.tls.client_cert_file);
  add_file("--tls-client-key", flags.tls.client_key_file);
  if (!flags.tls.server_name.empty()) words.insert(words.end(), {"--tls-server-name", flags.tls.server_name});
  if (flags.insecure) words.emplace_back("--insecure");
  return words;
}

}  // namespace kibitz::client
