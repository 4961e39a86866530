// The file that says whose the keys are, and what their owners may have: TOML.
//
//   [tenant.site]
//   max-live = 100
//
//   [[key]]
//   id = "q5n2wk7c"
//   tenant = "site"
//   role = "analyse"
//   hash = "sha256:..."
//   created = 2026-11-18T01:00:00Z
//   expires = 2027-11-18T00:00:00Z   (or nothing)

#ifndef KIBITZ_SERVER_KEYS_KEY_FILE_H_
#define KIBITZ_SERVER_KEYS_KEY_FILE_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "server/keys/key.h"
#include "server/tenant/tenant.h"

namespace kibitz::server {

// Some thousand keys.
inline constexpr std::size_t kMaxKeyFileBytes = 4 << 20;

struct KeyEntry {
  std::string id;
  std::string tenant;
  Role role = Role::kAnalyse;
  KeyDigest digest{};
  absl::Time created;
  std::optional<absl::Time> expires{};
  // Where it stands, counted from 1.
  int first_line = 0;
  int last_line = 0;
};

struct KeyFile {
  std::map<std::string, Quota> tenants;
  std::vector<KeyEntry> keys;
};

// Reads the text of a file. An error tells all that is wrong with it, each with line and field.
absl::StatusOr<KeyFile> ParseKeyFile(absl::string_view text);

// Whether a tenant may be called so: 1 to 64 letters, digits, "-" and "_".
bool IsTenantName(absl::string_view name);

// "analyse", "admin".
const char* NameOf(Role role);

// The text with a key more, and with its tenant if it has a quota to begin with. All else stays as it was written.
std::string WithKey(absl::string_view text, const KeyEntry& key, const std::optional<Quota>& new_tenant);
// The text without a key that stands in it.
std::string WithoutKey(absl::string_view text, const KeyEntry& key);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_KEYS_KEY_FILE_H_
