// A key: what a caller shows, and what a server keeps of it.

#ifndef KIBITZ_SERVER_KEYS_KEY_H_
#define KIBITZ_SERVER_KEYS_KEY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kibitz::server {

// Text of the form "kbz_ID_SECRET". The ID names the key to people and finds it in the file; the secret is 256 random
// bits. Both are in base 32: lower-case letters and digits.
struct Key {
  std::string id;
  std::string text;
};

// A new one, or the reason why the system has no random numbers.
absl::StatusOr<Key> MakeKey();

// The ID of what has the form of a key; empty for all else.
absl::string_view KeyIdOf(absl::string_view text);
bool IsKeyId(absl::string_view id);

// What is kept of a key: the SHA-256 of its text. Whoever reads it cannot find out 256 random bits, however fast the
// hash is; the slow ones, which are for what people can remember, would only slow down every call.
using KeyDigest = std::array<std::uint8_t, 32>;

KeyDigest DigestOf(absl::string_view text);
// In a time that does not tell where they differ.
bool Same(const KeyDigest& a, const KeyDigest& b);

// "sha256:" and the bytes in hexadecimal.
std::string ToText(const KeyDigest& digest);
std::optional<KeyDigest> ParseKeyDigest(absl::string_view text);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_KEYS_KEY_H_
