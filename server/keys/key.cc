#include "server/keys/key.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace kibitz::server {
namespace {

constexpr absl::string_view kPrefix = "kbz_";
constexpr absl::string_view kDigestPrefix = "sha256:";
constexpr absl::string_view kDigits = "abcdefghijklmnopqrstuvwxyz234567";
constexpr std::size_t kIdBytes = 5;
constexpr std::size_t kSecretBytes = 32;
// Five bits a digit.
constexpr std::size_t kIdSize = 8;
constexpr std::size_t kSecretSize = 52;

std::string Base32(const unsigned char* bytes, std::size_t size) {
  std::string text;
  unsigned pending = 0;
  int bits = 0;
  for (std::size_t i = 0; i < size; ++i) {
    pending = (pending << 8 | bytes[i]) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += kDigits[pending >> (bits - 5) & 31];
  }
  if (bits > 0) text += kDigits[pending << (5 - bits) & 31];
  return text;
}

bool IsBase32(absl::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return kDigits.find(c) != absl::string_view::npos; });
}

}  // namespace

absl::StatusOr<Key> MakeKey() {
  std::array<unsigned char, kIdBytes + kSecretBytes> random;
  if (RAND_bytes(random.data(), static_cast<int>(random.size())) != 1) {
    return absl::InternalError("the system has no random numbers for a key");
  }
  const std::string id = Base32(random.data(), kIdBytes);
  Key key{.id = id, .text = absl::StrCat(kPrefix, id, "_", Base32(random.data() + kIdBytes, kSecretBytes))};
  OPENSSL_cleanse(random.data(), random.size());
  return key;
}

bool IsKeyId(absl::string_view id) { return id.size() == kIdSize && IsBase32(id); }

absl::string_view KeyIdOf(absl::string_view text) {
  if (text.size() != kPrefix.size() + kIdSize + 1 + kSecretSize || !absl::ConsumePrefix(&text, kPrefix)) return "";
  const absl::string_view id = text.substr(0, kIdSize);
  const bool well_formed = IsKeyId(id) && text[kIdSize] == '_' && IsBase32(text.substr(kIdSize + 1));
  return well_formed ? id : "";
}

KeyDigest DigestOf(absl::string_view text) {
  KeyDigest digest{};
  EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
  return digest;
}

bool Same(const KeyDigest& a, const KeyDigest& b) { return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0; }

std::string ToText(const KeyDigest& digest) {
  return absl::StrCat(kDigestPrefix,
                      absl::BytesToHexString({reinterpret_cast<const char*>(digest.data()), digest.size()}));
}

std::optional<KeyDigest> ParseKeyDigest(absl::string_view text) {
  KeyDigest digest{};
  if (!absl::ConsumePrefix(&text, kDigestPrefix) || text.size() != 2 * digest.size() ||
      text.find_first_not_of("0123456789abcdef") != absl::string_view::npos) {
    return std::nullopt;
  }
  const std::string bytes = absl::HexStringToBytes(text);
  std::copy(bytes.begin(), bytes.end(), digest.begin());
  return digest;
}

}  // namespace kibitz::server
