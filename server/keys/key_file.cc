#include "server/keys/key_file.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "server/keys/quota_fields.h"

// toml++ 3.3 takes for granted that a table's name follows its brackets. After "[[[" there is none, and without its
// assertions anything might happen: here they are always on, and throw.
#undef NDEBUG
#define TOML_ASSERT(condition) ((condition) ? void() : throw std::logic_error("it is not TOML"))
#include "toml++/toml.h"

namespace kibitz::server {
namespace {

constexpr char kTimeForm[] = "is not a time such as 2027-01-31T00:00:00Z";

absl::Time ToTime(const toml::date_time& time) {
  const absl::CivilSecond civil(time.date.year, time.date.month, time.date.day, time.time.hour, time.time.minute,
                                time.time.second);
  return absl::FromCivil(civil, absl::UTCTimeZone()) - absl::Minutes(time.offset->minutes);
}

std::string ToText(absl::Time time) { return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", time, absl::UTCTimeZone()); }

// Goes through the tables of a file and keeps what is wrong with them.
class Reader {
 public:
  absl::StatusOr<KeyFile> Read(absl::string_view text) {
    try {
      ReadRoot(toml::parse(std::string_view(text.data(), text.size())));
    } catch (const toml::parse_error& error) {
      Complain(error.source(), std::string(error.description()));
    } catch (const std::logic_error& error) {
      faults_.push_back(error.what());
    }
    if (faults_.empty()) return std::move(file_);
    return absl::InvalidArgumentError(absl::StrJoin(faults_, "\n"));
  }

 private:
  void Complain(const toml::source_region& where, absl::string_view what) {
    faults_.push_back(absl::StrCat("line ", where.begin.line, ": ", what));
  }
  void Complain(const toml::source_region& where, absl::string_view field, absl::string_view what) {
    Complain(where, absl::StrCat(field, ": ", what));
  }

  void ReadRoot(const toml::table& root) {
    for (const auto& [name, node] : root) {
      if (name == "tenant") {
        ReadTenants(node);
      } else if (name != "key") {
        Complain(name.source(), std::string(name.str()), "is not known here: there are [tenant.NAME] and [[key]]");
      }
    }
    // After the tenants, wherever they stand.
    if (const toml::node* keys = root.get("key")) ReadKeys(*keys);
  }

  void ReadTenants(const toml::node& node) {
    const toml::table* const tenants = node.as_table();
    if (tenants == nullptr) return Complain(node.source(), "tenant", "is not a table: write [tenant.NAME]");
    for (const auto& [name, tenant] : *tenants) {
      const std::string tenant_name(name.str());
      const std::string field = absl::StrCat("tenant.", tenant_name);
      if (!IsTenantName(tenant_name)) {
        Complain(name.source(), field, "is not a name of 1 to 64 letters, digits, \"-\" and \"_\"");
      } else if (const toml::table* quota = tenant.as_table()) {
        file_.tenants[tenant_name] = ReadQuota(field, *quota);
      } else {
        Complain(tenant.source(), field, "is not a table: write [tenant.NAME]");
      }
    }
  }

  Quota ReadQuota(absl::string_view tenant, const toml::table& table) {
    Quota quota;
    for (const auto& [name, node] : table) {
      const std::string field = absl::StrCat(tenant, ".", std::string(name.str()));
      const auto& fields = QuotaFields();
      const auto known = std::find_if(fields.begin(), fields.end(),
                                      [&, &name = name](const QuotaField& each) { return name.str() == each.name; });
      if (known == fields.end()) {
        Complain(name.source(), field, "is not known: the quotas are described in docs/operators.md");
        continue;
      }
      const std::optional<std::int64_t> value = node.is_integer() ? node.value<std::int64_t>() : std::nullopt;
      if (!value.has_value() || *value < known->min || *value > known->max) {
        Complain(node.source(), field, absl::StrCat("is not a whole number from ", known->min, " to ", known->max));
        continue;
      }
      known->set(quota, *value);
    }
    return quota;
  }

  void ReadKeys(const toml::node& node) {
    const toml::array* const keys = node.as_array();
    if (keys == nullptr) return Complain(node.source(), "key", "is not a list of tables: write [[key]]");
    for (const toml::node& key : *keys) {
      if (const toml::table* table = key.as_table()) {
        ReadKey(*table);
      } else {
        Complain(key.source(), "key", "is not a table: write [[key]]");
      }
    }
  }

  void ReadKey(const toml::table& table) {
    static constexpr std::array kFields = {"id", "tenant", "role", "hash", "created", "expires"};
    KeyEntry entry;
    entry.first_line = entry.last_line = static_cast<int>(table.source().begin.line);
    for (const auto& [name, node] : table) {
      entry.last_line = std::max(entry.last_line, static_cast<int>(node.source().end.line));
      if (std::find(kFields.begin(), kFields.end(), name.str()) == kFields.end()) {
        Complain(name.source(), absl::StrCat("key.", std::string(name.str())),
                 absl::StrCat("is not known: a key has ", absl::StrJoin(kFields, ", ")));
      }
    }
    entry.id = ReadText(table, "id");
    if (!entry.id.empty() && !IsKeyId(entry.id)) {
      Complain(table.get("id")->source(), "key.id", "is not the ID of a key, as `kibitz keys add` makes it");
    } else if (!entry.id.empty() && !ids_.insert(entry.id).second) {
      Complain(table.get("id")->source(), "key.id", "is the ID of another key as well");
    }
    entry.tenant = ReadText(table, "tenant");
    if (!entry.tenant.empty() && !file_.tenants.contains(entry.tenant)) {
      Complain(table.get("tenant")->source(), "key.tenant", "is not in the file: add [tenant.NAME]");
    }
    ReadRole(table, entry);
    ReadDigest(table, entry);
    entry.created = ReadTime(table, "created").value_or(absl::InfinitePast());
    if (!table.contains("created")) Complain(table.source(), "key.created", "is missing");
    entry.expires = ReadTime(table, "expires");
    file_.keys.push_back(std::move(entry));
  }

  // Empty after a complaint.
  std::string ReadText(const toml::table& table, const char* name) {
    const std::string field = absl::StrCat("key.", name);
    const toml::node* const node = table.get(name);
    if (node == nullptr) {
      Complain(table.source(), field, "is missing");
      return "";
    }
    std::string text = node->value<std::string>().value_or("");
    if (text.empty()) Complain(node->source(), field, "is not a text between quotes");
    return text;
  }

  void ReadRole(const toml::table& table, KeyEntry& entry) {
    const std::string role = ReadText(table, "role");
    for (const Role known : {Role::kAnalyse, Role::kAdmin}) {
      if (role == NameOf(known)) {
        entry.role = known;
        return;
      }
    }
    if (!role.empty()) Complain(table.get("role")->source(), "key.role", "is neither \"analyse\" nor \"admin\"");
  }

  void ReadDigest(const toml::table& table, KeyEntry& entry) {
    const std::string text = ReadText(table, "hash");
    if (text.empty()) return;
    if (const std::optional<KeyDigest> digest = ParseKeyDigest(text)) {
      entry.digest = *digest;
    } else {
      Complain(table.get("hash")->source(), "key.hash",
               "is not \"sha256:\" and 64 digits, as `kibitz keys add` makes it");
    }
  }

  std::optional<absl::Time> ReadTime(const toml::table& table, const char* name) {
    const toml::node* const node = table.get(name);
    if (node == nullptr) return std::nullopt;
    const std::optional<toml::date_time> time = node->value<toml::date_time>();
    if (time.has_value() && time->offset.has_value()) return ToTime(*time);
    Complain(node->source(), absl::StrCat("key.", name), kTimeForm);
    return std::nullopt;
  }

  KeyFile file_;
  std::set<std::string> ids_;
  std::vector<std::string> faults_;
};

}  // namespace

absl::StatusOr<KeyFile> ParseKeyFile(absl::string_view text) { return Reader().Read(text); }

bool IsTenantName(absl::string_view name) {
  constexpr std::size_t kMaxSize = 64;
  return !name.empty() && name.size() <= kMaxSize &&
         std::all_of(name.begin(), name.end(), [](char c) { return absl::ascii_isalnum(c) || c == '-' || c == '_'; });
}

const char* NameOf(Role role) { return role == Role::kAdmin ? "admin" : "analyse"; }

std::string WithKey(absl::string_view text, const KeyEntry& key, const std::optional<Quota>& new_tenant) {
  std::string result(text);
  if (!result.empty() && result.back() != '\n') result += '\n';
  if (new_tenant.has_value()) {
    absl::StrAppend(&result, "\n[tenant.", key.tenant, "]\n");
    for (const QuotaField& field : QuotaFields()) {
      if (const auto value = field.get(*new_tenant)) absl::StrAppend(&result, field.name, " = ", *value, "\n");
    }
  }
  absl::StrAppend(&result, "\n[[key]]\nid = \"", key.id, "\"\ntenant = \"", key.tenant, "\"\nrole = \"",
                  NameOf(key.role), "\"\nhash = \"", ToText(key.digest), "\"\ncreated = ", ToText(key.created), "\n");
  if (key.expires.has_value()) absl::StrAppend(&result, "expires = ", ToText(*key.expires), "\n");
  return result;
}

std::string WithoutKey(absl::string_view text, const KeyEntry& key) {
  std::vector<absl::string_view> lines = absl::StrSplit(text, '\n');
  const auto first = lines.begin() + key.first_line - 1;
  auto after = lines.begin() + key.last_line;
  // The empty line between it and the next.
  if (after != lines.end() && std::next(after) != lines.end() && absl::StripAsciiWhitespace(*after).empty()) ++after;
  lines.erase(first, after);
  return absl::StrJoin(lines, "\n");
}

}  // namespace kibitz::server
