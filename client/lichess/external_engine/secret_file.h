// The secret by which the broker knows a provider. Whoever has it can take the provider's work.

#ifndef KIBITZ_CLIENT_LICHESS_EXTERNAL_ENGINE_SECRET_FILE_H_
#define KIBITZ_CLIENT_LICHESS_EXTERNAL_ENGINE_SECRET_FILE_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace kibitz::client::lichess {

// What the file holds. Where there is none, a secret is made and written there, for its owner alone. A file that others
// may read is an error, as is one with a secret too short to be one.
absl::StatusOr<std::string> ReadOrMakeSecret(const std::string& path);

// In the user's folder of configuration. Empty where there is no such folder.
std::string DefaultSecretFile();

// The words without a secret that a stranger may have put into them. An empty secret changes nothing.
std::string WithoutSecret(std::string_view words, std::string_view secret);

}  // namespace kibitz::client::lichess

#endif  // KIBITZ_CLIENT_LICHESS_EXTERNAL_ENGINE_SECRET_FILE_H_
