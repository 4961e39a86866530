#include "server/auth/key_store.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "server/keys/key_file.h"
#include "spdlog/spdlog.h"

namespace kibitz::server {
namespace {

absl::StatusOr<KeyFile> Read(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadFile(path, kMaxKeyFileBytes);
  if (!text.ok()) return text.status();
  absl::StatusOr<KeyFile> file = ParseKeyFile(*text);
  if (file.ok()) return file;
  return absl::InvalidArgumentError(
      absl::StrCat(path, " ", absl::StrReplaceAll(file.status().message(), {{"\n", absl::StrCat("; ", path, " ")}})));
}

}  // namespace

absl::StatusOr<std::unique_ptr<KeyStore>> KeyStore::Open(const std::string& path) {
  // It looks before the file is read, so that it sees whatever is written later.
  FileWatch watch({path});
  const absl::StatusOr<KeyFile> file = Read(path);
  if (!file.ok()) return file.status();
  return std::unique_ptr<KeyStore>(new KeyStore(path, std::move(watch), std::make_shared<const KeyRing>(*file)));
}

KeyStore::KeyStore(const std::string& path, FileWatch watch, std::shared_ptr<const KeyRing> ring)
    : path_(path), watch_(std::move(watch)), ring_(std::move(ring)) {}

void KeyStore::Refresh() {
  if (!watch_.Changed()) return;
  const absl::StatusOr<KeyFile> file = Read(path_);
  if (!file.ok()) {
    spdlog::error("the new keys are not used, the old ones stay: {}", std::string(file.status().message()));
    return;
  }
  const auto ring = std::make_shared<const KeyRing>(*file);
  {
    std::lock_guard lock(mutex_);
    ring_ = ring;
  }
  spdlog::info("{} keys are known from now on", ring->size());
}

std::shared_ptr<const KeyRing> KeyStore::ring() const {
  std::lock_guard lock(mutex_);
  return ring_;
}

}  // namespace kibitz::server
