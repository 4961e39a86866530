#include "server/jobs/digest.h"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include "absl/strings/escaping.h"

namespace kibitz::server {

absl::StatusOr<std::string> MakeJobId() {
  constexpr int kBytes = 16;
  unsigned char random[kBytes];
  if (RAND_bytes(random, kBytes) != 1) return absl::InternalError("the system has no random numbers");
  return absl::BytesToHexString(absl::string_view(reinterpret_cast<const char*>(random), kBytes));
}

std::string FingerprintOf(absl::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest, &size, EVP_sha256(), nullptr);
  return {reinterpret_cast<const char*>(digest), size};
}

}  // namespace kibitz::server
