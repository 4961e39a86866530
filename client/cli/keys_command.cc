#include "client/cli/keys_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "client/cli/console.h"
#include "client/cli/failure.h"
#include "client/cli/table.h"
#include "nlohmann/json.hpp"
#include "server/files/files.h"
#include "server/keys/key.h"
#include "server/keys/key_file.h"
#include "server/keys/quota_fields.h"

namespace kibitz::client {
namespace {

using server::KeyEntry;
using server::KeyFile;
using server::Quota;
using server::QuotaField;
using server::QuotaFields;
using server::Role;

constexpr char kHeader[] =
    "# The keys of a Kibitz server (kibitzd --keys), and what their owners may have. Written by `kibitz keys`;\n"
    "# the quotas may be changed by hand. A server that runs sees every change within a second.\n";

struct KeysFlags {
  std::string file;
  bool json = false;
  // Of a new key.
  std::string tenant;
  std::string role = "analyse";
  int days = 0;
  std::string key_file;
  std::map<std::string, std::int64_t> quota;  // by the fields' names
  // Of one to revoke.
  std::string id;
};

// A file of keys as it was read.
struct Opened {
  std::string text;
  KeyFile content;
};

absl::StatusOr<Opened> Open(const std::string& path) {
  absl::StatusOr<std::string> text = server::ReadFile(path, server::kMaxKeyFileBytes);
  if (!text.ok()) return text.status();
  absl::StatusOr<KeyFile> content = server::ParseKeyFile(*text);
  if (!content.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("in ", path, ":\n", content.status().message()));
  }
  return Opened{.text = *std::move(text), .content = *std::move(content)};
}

absl::StatusOr<Opened> OpenOrBegin(const std::string& path) {
  absl::StatusOr<Opened> opened = Open(path);
  if (absl::IsNotFound(opened.status())) return Opened{.text = kHeader, .content = {}};
  return opened;
}

// What is written must be readable again, whatever the file looked like before.
absl::Status Write(const std::string& path, const std::string& text, std::size_t keys) {
  const absl::StatusOr<KeyFile> content = server::ParseKeyFile(text);
  if (!content.ok() || content->keys.size() != keys) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, " is written in a way that this command cannot change: change it by hand"));
  }
  return server::ReplaceFile(path, text);
}

std::string ToText(absl::Time time) { return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", time, absl::UTCTimeZone()); }

Quota QuotaOf(const KeysFlags& flags) {
  Quota quota;
  for (const QuotaField& field : QuotaFields()) {
    if (const auto given = flags.quota.find(field.name); given != flags.quota.end()) field.set(quota, given->second);
  }
  return quota;
}

// Adds a key to the file. The key's text is returned and kept nowhere.
absl::StatusOr<server::Key> Add(const KeysFlags& flags) {
  const absl::StatusOr<server::FileDescriptor> lock = server::LockFolderOf(flags.file);
  if (!lock.ok()) return lock.status();
  const absl::StatusOr<Opened> opened = OpenOrBegin(flags.file);
  if (!opened.ok()) return opened.status();
  const bool is_new = !opened->content.tenants.contains(flags.tenant);
  if (!is_new && !flags.quota.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("the tenant ", flags.tenant,
                                                   " has its quotas already: change them in ", flags.file,
                                                   ", or leave their flags out"));
  }
  absl::StatusOr<server::Key> key = server::MakeKey();
  if (!key.ok()) return key.status();
  const absl::Time now = absl::Now();
  KeyEntry entry{.id = key->id,
                 .tenant = flags.tenant,
                 .role = flags.role == NameOf(Role::kAdmin) ? Role::kAdmin : Role::kAnalyse,
                 .digest = server::DigestOf(key->text),
                 .created = now};
  if (flags.days > 0) entry.expires = now + absl::Hours(24) * flags.days;
  // Whoever gets no key is not to find a tenant or an entry either.
  if (!flags.key_file.empty()) {
    if (absl::Status written = server::WriteNewFile(flags.key_file, key->text + "\n"); !written.ok()) return written;
  }
  const std::string text =
      server::WithKey(opened->text, entry, is_new ? std::optional<Quota>(QuotaOf(flags)) : std::nullopt);
  if (absl::Status written = Write(flags.file, text, opened->content.keys.size() + 1); !written.ok()) {
    if (!flags.key_file.empty()) std::remove(flags.key_file.c_str());
    return written;
  }
  return key;
}

ExitCode RunAdd(const KeysFlags& flags) {
  const absl::StatusOr<server::Key> key = Add(flags);
  if (!key.ok()) return ReportFailure(key.status(), /*interrupted=*/false);
  if (flags.json) {
    nlohmann::json object{{"id", key->id}, {"tenant", flags.tenant}, {"role", flags.role}};
    object[flags.key_file.empty() ? "key" : "keyFile"] = flags.key_file.empty() ? key->text : flags.key_file;
    Print(object.dump() + "\n");
  } else if (flags.key_file.empty()) {
    Print(key->text + "\n");
    std::fputs("This key is shown once: the file keeps only its hash. Give it to callers as a file (--key-file).\n",
               stderr);
  } else {
    Print(fmt::format("The key {} stands in {}, and nowhere else.\n", key->id, flags.key_file));
  }
  return kExitOk;
}

std::string QuotaText(const Quota& quota) {
  std::string text;
  for (const QuotaField& field : QuotaFields()) {
    if (const auto value = field.get(quota)) absl::StrAppend(&text, text.empty() ? "" : ", ", field.name, " ", *value);
  }
  return text;
}

nlohmann::json ToJson(const KeyEntry& key, const Quota& quota) {
  nlohmann::json object{{"id", key.id}, {"tenant", key.tenant}, {"role", NameOf(key.role)}};
  object["created"] = ToText(key.created);
  if (key.expires.has_value()) object["expires"] = ToText(*key.expires);
  for (const QuotaField& field : QuotaFields()) {
    if (const auto value = field.get(quota)) object["quota"][field.name] = *value;
  }
  return object;
}

std::string ToTable(const KeyFile& file, absl::Time now) {
  using Align = Table::Align;
  const Palette& palette = PaletteOf(stdout);
  Table table({Align::kLeft, Align::kLeft, Align::kLeft, Align::kLeft, Align::kLeft, Align::kLeft});
  table.AddRow({{"id", palette.heading},
                {"tenant", palette.heading},
                {"role", palette.heading},
                {"created", palette.heading},
                {"expires", palette.heading},
                {"quotas", palette.heading}});
  for (const KeyEntry& key : file.keys) {
    const bool expired = key.expires.has_value() && *key.expires <= now;
    table.AddRow({{key.id},
                  {key.tenant},
                  {NameOf(key.role)},
                  {ToText(key.created)},
                  {key.expires.has_value() ? ToText(*key.expires) + (expired ? " (expired)" : "") : "never",
                   expired ? palette.alert : fmt::text_style()},
                  {QuotaText(file.tenants.at(key.tenant))}});
  }
  return table.ToString();
}

ExitCode RunList(const KeysFlags& flags) {
  const absl::StatusOr<Opened> opened = Open(flags.file);
  if (!opened.ok()) return ReportFailure(opened.status(), /*interrupted=*/false);
  const KeyFile& file = opened->content;
  if (!flags.json) {
    Print(ToTable(file, absl::Now()));
    return kExitOk;
  }
  for (const KeyEntry& key : file.keys) Print(ToJson(key, file.tenants.at(key.tenant)).dump() + "\n");
  return kExitOk;
}

absl::Status Revoke(const KeysFlags& flags) {
  const absl::StatusOr<server::FileDescriptor> lock = server::LockFolderOf(flags.file);
  if (!lock.ok()) return lock.status();
  const absl::StatusOr<Opened> opened = Open(flags.file);
  if (!opened.ok()) return opened.status();
  const std::vector<KeyEntry>& keys = opened->content.keys;
  const auto key = std::find_if(keys.begin(), keys.end(), [&](const KeyEntry& each) { return each.id == flags.id; });
  if (key == keys.end()) {
    return absl::NotFoundError(
        absl::StrCat("there is no key ", flags.id, " in ", flags.file, ": `kibitz keys list` tells which there are"));
  }
  return Write(flags.file, server::WithoutKey(opened->text, *key), keys.size() - 1);
}

ExitCode RunRevoke(const KeysFlags& flags) {
  if (absl::Status revoked = Revoke(flags); !revoked.ok()) return ReportFailure(revoked, /*interrupted=*/false);
  Print(fmt::format("The key {} is revoked: new calls with it are refused within a second, open ones go on.\n",
                    flags.id));
  return kExitOk;
}

CLI::App& AddAction(CLI::App& keys, const char* name, const char* what, KeysFlags& flags) {
  CLI::App& action = *keys.add_subcommand(name, what);
  action.add_option("--file", flags.file, "The file of keys, as kibitzd --keys has it")
      ->type_name("FILE")
      ->envname("KIBITZ_KEYS")
      ->required();
  return action;
}

std::string CheckTenantName(const std::string& name) {
  return server::IsTenantName(name) ? "" : "'" + name + "' is not 1 to 64 letters, digits, '-' and '_'";
}

void AddAdd(CLI::App& keys, const std::shared_ptr<KeysFlags>& flags, ExitCode& exit_code) {
  CLI::App& add = AddAction(keys, "add", "Make a key, and show it once", *flags);
  add.add_option("--tenant", flags->tenant, "Whose key it is; a new name makes a new tenant")
      ->type_name("NAME")
      ->required()
      ->check(CLI::Validator(CheckTenantName, ""));
  add.add_option("--role", flags->role, "What it allows: analyse, or admin for the server's state as well")
      ->check(CLI::IsMember({NameOf(Role::kAnalyse), NameOf(Role::kAdmin)}))
      ->capture_default_str();
  add.add_option("--days", flags->days, "When it expires; without it never")
      ->type_name("N")
      ->check(CLI::Range(1, 36'500));
  add.add_option("--key-file", flags->key_file, "Write the key to this new file instead of showing it")
      ->type_name("FILE");
  add.add_flag("--json", flags->json, "Answer in JSON");
  for (const QuotaField& field : QuotaFields()) {
    const auto set = [flags, &field](const std::int64_t& value) { flags->quota[field.name] = value; };
    add.add_option_function<std::int64_t>(absl::StrCat("--", field.name), set,
                                          absl::StrCat("Of a new tenant: ", field.help))
        ->type_name("N")
        ->check(CLI::Range(field.min, field.max));
  }
  add.footer(
      "Examples:\n"
      "  kibitz keys add --file keys.toml --tenant site --max-live 100 --key-file site.key\n"
      "  kibitz keys add --file keys.toml --tenant operators --role admin --days 90");
  add.callback([flags, &exit_code] { exit_code = RunAdd(*flags); });
}

}  // namespace

void AddKeysCommand(CLI::App& app, ExitCode& exit_code) {
  auto flags = std::make_shared<KeysFlags>();
  CLI::App& keys = *app.add_subcommand("keys", "Say who may call a server, and what each may have");
  keys.require_subcommand(1);
  AddAdd(keys, flags, exit_code);
  CLI::App& list = AddAction(keys, "list", "Tell which keys there are", *flags);
  list.add_flag("--json", flags->json, "Answer in JSON, one object a line");
  list.footer("Examples:\n  kibitz keys list --file keys.toml");
  list.callback([flags, &exit_code] { exit_code = RunList(*flags); });
  CLI::App& revoke = AddAction(keys, "revoke", "Take a key out", *flags);
  revoke.add_option("ID", flags->id, "As `kibitz keys list` tells it")->required();
  revoke.footer("Examples:\n  kibitz keys revoke q5n2wk7c --file keys.toml");
  revoke.callback([flags, &exit_code] { exit_code = RunRevoke(*flags); });
  keys.footer("A server asks for keys when it is started with kibitzd --keys FILE.");
}

}  // namespace kibitz::client
