#include "client/lichess/external_engine/secret_file.h"

#include <sys/random.h>
#include <sys/stat.h>

#include <array>
#include <cstdlib>
#include <filesystem>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "client/key.h"
#include "server/files/files.h"

namespace kibitz::client::lichess {
namespace {

// What Lichess asks for at the least.
constexpr std::size_t kMinBytes = 16;

absl::StatusOr<std::string> MakeSecret(const std::string& path) {
  std::array<char, 32> random;
  if (getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) {
    return absl::InternalError("the system has no random numbers for a secret");
  }
  const std::string secret = absl::BytesToHexString(absl::string_view(random.data(), random.size()));
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (absl::Status status = server::WriteNewFile(path, secret + "\n"); !status.ok()) return status;
  return secret;
}

}  // namespace

absl::StatusOr<std::string> ReadOrMakeSecret(const std::string& path) {
  struct stat file{};
  if (stat(path.c_str(), &file) != 0) return MakeSecret(path);
  if ((file.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return absl::FailedPreconditionError(absl::StrCat("the secret in ", path, " is open to others: chmod 600 ", path));
  }
  absl::StatusOr<std::string> secret = ReadKeyFile(path, "secret");
  if (secret.ok() && secret->size() < kMinBytes) {
    return absl::InvalidArgumentError(absl::StrCat("the secret in ", path, " is shorter than ", kMinBytes,
                                                   " bytes: remove the file, and one is made"));
  }
  return secret;
}

std::string DefaultSecretFile() {
  const char* const configured = std::getenv("XDG_CONFIG_HOME");
  if (configured != nullptr && *configured != '\0') return absl::StrCat(configured, "/kibitz/lichess-engine.secret");
  const char* const home = std::getenv("HOME");
  return home == nullptr || *home == '\0' ? "" : absl::StrCat(home, "/.config/kibitz/lichess-engine.secret");
}

std::string WithoutSecret(std::string_view words, std::string_view secret) {
  if (secret.empty()) return std::string(words);
  const absl::string_view hidden(secret.data(), secret.size());
  return absl::StrReplaceAll(absl::string_view(words.data(), words.size()), {{hidden, "(secret)"}});
}

}  // namespace kibitz::client::lichess
