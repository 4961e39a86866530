// The keys that a server knows, at one time.

#ifndef KIBITZ_SERVER_AUTH_KEY_RING_H_
#define KIBITZ_SERVER_AUTH_KEY_RING_H_

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

  explicit KeyRing(const KeyFile& file);

  // Whose key it is; nullptr when it is nobody's. Takes the same time for whatever has the form of a key.
  const Holder* Find(absl::string_view key) const;

  // The tenant of that name, whatever its keys; nullptr: there is none.
  TenantPointer FindTenant(absl::string_view name) const;

  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    KeyDigest digest;
    Holder holder;
  };

  absl::flat_hash_map<std::string, Entry> entries_;          // by ID
  absl::flat_hash_map<std::string, TenantPointer> tenants_;  // by name
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_AUTH_KEY_RING_H_
