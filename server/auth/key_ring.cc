#include "server/auth/key_ring.h"

#include <memory>

namespace kibitz::server {

KeyRing::KeyRing(const KeyFile& file) {
  for (const auto& [name, quota] : file.tenants) {
    tenants_[name] = std::make_shared<const Tenant>(Tenant{.name = name, .quota = quota});
  }
  for (const KeyEntry& key : file.keys) {
    entries_[key.id] = {.digest = key.digest,
                        .holder = {.tenant = tenants_.at(key.tenant), .role = key.role, .expires = key.expires}};
  }
}

TenantPointer KeyRing::FindTenant(absl::string_view name) const {
  const auto found = tenants_.find(name);
  return found == tenants_.end() ? nullptr : found->second;
}

const KeyRing::Holder* KeyRing::Find(absl::string_view key) const {
  // What no key has: a guess at an ID that is not there costs what others cost.
  static constexpr KeyDigest kNobody{};
  const auto found = entries_.find(KeyIdOf(key));
  const bool same = Same(DigestOf(key), found == entries_.end() ? kNobody : found->second.digest);
  return same && found != entries_.end() ? &found->second.holder : nullptr;
}

}  // namespace kibitz::server
