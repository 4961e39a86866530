// The keys that a server knows, at one time.

#ifndef KIBITZ_SERVER_AUTH_KEY_RING_H_
#define KIBITZ_SERVER_AUTH_KEY_RING_H_

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "server/keys/key.h"
#include "server/keys/key_file.h"
#include "server/tenant/tenant.h"

namespace kibitz::server {

// All methods may be called from any thread.
class KeyRing {
 public:
  struct Holder {
    TenantPointer tenant;
    Role role = Role::kAnalyse;
    std::optional<absl::Time> expires{};
  };

  // Keys that were used before are known as such in the new ring.
  KeyRing(const KeyFile& file, const KeyRing* before);

  // Whose key it is; nullptr when it is nobody's. Takes the same time for whatever has the form of a key.
  const Holder* Find(absl::string_view key) const;

  // Whether a key with the same ID has been found before.
  bool IsInUse(absl::string_view key) const;

  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    KeyDigest digest;
    Holder holder;
    mutable std::atomic<bool> in_use{false};
  };

  const Entry* EntryOf(absl::string_view key) const;

  absl::flat_hash_map<std::string, std::unique_ptr<Entry>> entries_;  // by ID
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_AUTH_KEY_RING_H_
