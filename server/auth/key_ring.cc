#include "server/auth/key_ring.h"

#include <map>
#include <utility>

namespace kibitz::server {

KeyRing::KeyRing(const KeyFile& file, const KeyRing* before) {
  std::map<std::string, TenantPointer> tenants;
  for (const auto& [name, quota] : file.tenants) {
    tenants[name] = std::make_shared<const Tenant>(Tenant{.name = name, .quota = quota});
  }
  for (const KeyEntry& key : file.keys) {
    auto entry = std::make_unique<Entry>();
    entry->digest = key.digest;
    entry->holder = {.tenant = tenants.at(key.tenant), .role = key.role, .expires = key.expires};
    if (before != nullptr) {
      const auto old = before->entries_.find(key.id);
      entry->in_use = old != before->entries_.end() && old->second->in_use && Same(old->second->digest, key.digest);
    }
    entries_[key.id] = std::move(entry);
  }
}

const KeyRing::Entry* KeyRing::EntryOf(absl::string_view key) const {
  const auto found = entries_.find(KeyIdOf(key));
  return found == entries_.end() ? nullptr : found->second.get();
}

const KeyRing::Holder* KeyRing::Find(absl::string_view key) const {
  // What no key has: a guess at an ID that is not there costs what others cost.
  static constexpr KeyDigest kNobody{};
  const Entry* const entry = EntryOf(key);
  if (!Same(DigestOf(key), entry == nullptr ? kNobody : entry->digest) || entry == nullptr) return nullptr;
  entry->in_use.store(true, std::memory_order_relaxed);
  return &entry->holder;
}

bool KeyRing::IsInUse(absl::string_view key) const {
  const Entry* const entry = EntryOf(key);
  return entry != nullptr && entry->in_use.load(std::memory_order_relaxed);
}

}  // namespace kibitz::server
