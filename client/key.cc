#include "client/key.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace kibitz::client {
namespace {

// Whoever names another file by mistake is not to send a part of it.
constexpr std::size_t kMaxFileSize = 4096;

constexpr char kAdvice[] = "name a file that holds the key and nothing else";

absl::Status Unusable(const std::string& path, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("the key file ", path, " ", why, ": ", kAdvice));
}

}  // namespace

absl::StatusOr<std::string> ReadKeyFile(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "r"), std::fclose);
  std::array<char, kMaxFileSize + 1> bytes;
  const std::size_t size = file == nullptr ? 0 : std::fread(bytes.data(), 1, bytes.size(), file.get());
  if (file == nullptr || std::ferror(file.get()) != 0) {
    return Unusable(path, absl::StrCat("cannot be read (", std::strerror(errno), ")"));
  }
  if (size > kMaxFileSize) return Unusable(path, "is too large");
  const absl::string_view key = absl::StripAsciiWhitespace(absl::string_view(bytes.data(), size));
  if (key.empty()) return Unusable(path, "is empty");
  if (!CheckKey(key).ok()) return Unusable(path, "holds more than a word of printable ASCII");
  return std::string(key);
}

absl::Status CheckKey(absl::string_view key) {
  if (std::all_of(key.begin(), key.end(), [](unsigned char c) { return absl::ascii_isgraph(c); })) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError("the key cannot be sent: it must be one word of printable ASCII");
}

}  // namespace kibitz::client
