// How a user's analysis board comes to know an external engine.

#ifndef KIBITZ_CLIENT_LICHESS_EXTERNAL_ENGINE_REGISTRATION_H_
#define KIBITZ_CLIENT_LICHESS_EXTERNAL_ENGINE_REGISTRATION_H_

#include <stop_token>
#include <string>

#include "absl/status/statusor.h"
#include "client/http/http_client.h"

namespace kibitz::client::lichess {

struct Registration {
  // As the board shows it: 3 to 200 characters. One user has one engine of a name.
  std::string name{};
  int max_threads = 1;
  int max_hash_mb = 16;
  // How deep a search usually gets.
  int default_depth = 20;
  // Shown nowhere, and not to be had from Lichess again.
  std::string provider_secret{};
};

// Registers the engine, or brings the one that the user has of this name up to date. The token needs the scopes
// engine:read and engine:write. Returns its id.
absl::StatusOr<std::string> Register(http::HttpClient& lichess, const Registration& registration,
                                     const std::stop_token& stop);

// Takes the user's engines of this name away. Returns how many there were.
absl::StatusOr<int> Unregister(http::HttpClient& lichess, const std::string& name, const std::stop_token& stop);

}  // namespace kibitz::client::lichess

#endif  // KIBITZ_CLIENT_LICHESS_EXTERNAL_ENGINE_REGISTRATION_H_
