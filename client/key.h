// The key by which a server knows who calls. It is a secret: no message of ours shows it.

#ifndef KIBITZ_CLIENT_KEY_H_
#define KIBITZ_CLIENT_KEY_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kibitz::client {

// Reads the key that a file holds, without the blanks around it. An error names the file, by what it should hold, and
// says what to do.
absl::StatusOr<std::string> ReadKeyFile(const std::string& path, absl::string_view what = "key");

// Whether a key can be sent at all: one word of printable ASCII. None at all is fine.
absl::Status CheckKey(absl::string_view key);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_KEY_H_
