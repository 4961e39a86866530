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

}  // namespace

absl::StatusOr<std::string> ReadKeyFile(const std::string& path, absl::string_view what) {
  const auto unusable = [&](absl::string_view why) {
    return absl::InvalidArgumentError(absl::StrCat("the ", what, " file ", path, " ", why,
                                                   ": name a file that holds the ", what, " and nothing else"));
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "r"), std::fclose);
  std::array<char, kMaxFileSize + 1> bytes;
  const std::size_t size = file == nullptr ? 0 : std::fread(bytes.data(), 1, bytes.size(), file.get());
  if (file == nullptr || std::ferror(file.get()) != 0) {
    return unusable(absl::StrCat("cannot be read (", std::strerror(errno), ")"));
  }
  if (size > kMaxFileSize) return unusable("is too large");
  const absl::string_view key = absl::StripAsciiWhitespace(absl::string_view(bytes.data(), size));
  if (key.empty()) return unusable("is empty");
  if (!CheckKey(key).ok()) return unusable("holds more than a word of printable ASCII");
  return std::string(key);
}

absl::Status CheckKey(absl::string_view key) {
  if (std::all_of(key.begin(), key.end(), [](unsigned char c) { return absl::ascii_isgraph(c); })) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError("the key cannot be sent: it must be one word of printable ASCII");
}

}  // namespace kibitz::client
