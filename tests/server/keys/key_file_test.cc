#include "server/keys/key_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "server/keys/quota_fields.h"

namespace kibitz::server {
namespace {

using ::testing::HasSubstr;

constexpr char kHash[] = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

const std::string kGood = absl::StrCat(R"(# The site's.
[tenant.site]
max-live = 100
nodes-per-minute = 600_000_000
max-search-ms = 10_000
share = 2

[tenant.operators]

[[key]]
id = "abcdefg2"
tenant = "site"
role = "analyse"
hash = ")",
                                       kHash, R"("
created = 2026-11-18T01:00:00Z

# Ours.
[[key]]
id = "abcdefg3"
tenant = "operators"
role = "admin"
hash = ")",
                                       kHash, R"("
created = 2026-11-18T01:00:00+01:00
expires = 2027-11-18T00:00:00Z
)");

std::string Faults(const std::string& text) { return std::string(ParseKeyFile(text).status().message()); }

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(KeyFileTest, ReadsTenantsAndKeys) {
  const absl::StatusOr<KeyFile> file = ParseKeyFile(kGood);
  ASSERT_TRUE(file.ok()) << file.status().message();
  ASSERT_EQ(file->tenants.size(), 2u);
  EXPECT_EQ(
      file->tenants.at("site"),
      (Quota{
          .max_live = 100, .nodes_per_minute = 600'000'000, .max_search_time = std::chrono::seconds(10), .share = 2}));
  EXPECT_EQ(file->tenants.at("operators"), Quota());
  ASSERT_EQ(file->keys.size(), 2u);
  EXPECT_EQ(file->keys[0].id, "abcdefg2");
  EXPECT_EQ(file->keys[0].tenant, "site");
  EXPECT_EQ(file->keys[0].role, Role::kAnalyse);
  EXPECT_EQ(ToText(file->keys[0].digest), kHash);
  EXPECT_EQ(file->keys[0].expires, std::nullopt);
  EXPECT_EQ(file->keys[1].role, Role::kAdmin);
  EXPECT_EQ(file->keys[0].created - file->keys[1].created, absl::Hours(1));
  EXPECT_EQ(file->keys[1].expires, absl::FromCivil(absl::CivilDay(2027, 11, 18), absl::UTCTimeZone()));
}

TEST(KeyFileTest, AnEmptyFileHasNoKeys) {
  ASSERT_TRUE(ParseKeyFile("").ok());
  EXPECT_TRUE(ParseKeyFile("# nothing yet\n")->keys.empty());
}

TEST(KeyFileTest, EveryQuotaHasAName) {
  std::string text = "[tenant.a]\n";
  for (const QuotaField& field : QuotaFields()) absl::StrAppend(&text, field.name, " = ", field.max, "\n");
  const absl::StatusOr<KeyFile> file = ParseKeyFile(text);
  ASSERT_TRUE(file.ok()) << file.status().message();
  const Quota& quota = file->tenants.at("a");
  for (const QuotaField& field : QuotaFields()) EXPECT_EQ(field.get(quota), field.max) << field.name;
  for (const QuotaField& field : QuotaFields()) EXPECT_EQ(field.get(Quota()), std::nullopt) << field.name;
}

TEST(KeyFileTest, TellsLineAndFieldOfWhatIsWrong) {
  const struct {
    const char* from;
    const char* to;
    const char* complaint;
  } cases[] = {
      {"max-live = 100", "max-live = 0", "line 3: tenant.site.max-live: is not a whole number from 1 to 100000"},
      {"max-live = 100", "max-live = \"100\"", "line 3: tenant.site.max-live: is not a whole number"},
      {"max-live = 100", "max-live = 1.5", "line 3: tenant.site.max-live: is not a whole number"},
      {"max-live", "max-life", "line 3: tenant.site.max-life: is not known"},
      {"[tenant.site]", "[tenant.\"a b\"]", "line 2: tenant.a b: is not a name"},
      {"[tenant.operators]", "[tenants.operators]", "line 8: tenants: is not known here"},
      {"\"abcdefg2\"", "\"abcdefg1\"", "line 11: key.id: is not the ID of a key"},
      {"\"abcdefg2\"", "\"abcdefg3\"", "line 19: key.id: is the ID of another key as well"},
      {"tenant = \"site\"", "tenant = \"sight\"", "line 12: key.tenant: is not in the file"},
      {"tenant = \"site\"", "", "line 10: key.tenant: is missing"},
      {"\"analyse\"", "\"analyst\"", "line 13: key.role: is neither \"analyse\" nor \"admin\""},
      {"\"analyse\"", "1", "line 13: key.role: is not a text between quotes"},
      {"sha256:", "md5:", "line 14: key.hash: is not \"sha256:\""},
      {"2026-11-18T01:00:00Z", "2026-11-18T01:00:00", "line 15: key.created: is not a time such as"},
      {"2026-11-18T01:00:00Z", "\"now\"", "line 15: key.created: is not a time such as"},
      {"created = 2026-11-18T01:00:00Z", "", "line 10: key.created: is missing"},
      {"expires", "expiry", "line 24: key.expiry: is not known: a key has id, tenant"},
      {"role = \"analyse\"", "role = analyse", "line 13: "},
  };
  for (const auto& [from, to, complaint] : cases) EXPECT_THAT(Faults(Replaced(kGood, from, to)), HasSubstr(complaint));
}

TEST(KeyFileTest, TellsAllFaultsAtOnce) {
  const std::string text = Replaced(Replaced(kGood, "max-live", "max-life"), "\"analyse\"", "\"analyst\"");
  EXPECT_THAT(Faults(text), HasSubstr("line 3: "));
  EXPECT_THAT(Faults(text), HasSubstr("\nline 13: "));
}

TEST(KeyFileTest, SurvivesEveryTornFile) {
  for (std::size_t size = 0; size < kGood.size(); ++size) ParseKeyFile(kGood.substr(0, size)).status().IgnoreError();
  EXPECT_FALSE(ParseKeyFile(std::string(100'000, '[')).ok());
  EXPECT_EQ(Faults("[[[a]]]"), "it is not TOML");
  EXPECT_FALSE(ParseKeyFile("key = 1\ntenant = 2").ok());
  EXPECT_FALSE(ParseKeyFile("key = [1]\n[tenant]\na = 2").ok());
  EXPECT_FALSE(ParseKeyFile(std::string("a\0b", 3)).ok());
}

TEST(KeyFileTest, AddsAKeyBelowWhatIsThere) {
  const KeyEntry key{.id = "abcdefg4",
                     .tenant = "new",
                     .role = Role::kAdmin,
                     .digest = DigestOf("abc"),
                     .created = absl::FromUnixSeconds(1'800'000'000),
                     .expires = absl::FromUnixSeconds(1'900'000'000)};
  const std::string text = WithKey(kGood, key, Quota{.max_depth = 30});
  EXPECT_THAT(text, ::testing::StartsWith(kGood));
  const absl::StatusOr<KeyFile> file = ParseKeyFile(text);
  ASSERT_TRUE(file.ok()) << file.status().message();
  EXPECT_EQ(file->tenants.at("new"), Quota{.max_depth = 30});
  ASSERT_EQ(file->keys.size(), 3u);
  EXPECT_EQ(file->keys[2].id, key.id);
  EXPECT_EQ(file->keys[2].role, key.role);
  EXPECT_EQ(file->keys[2].created, key.created);
  EXPECT_EQ(file->keys[2].expires, key.expires);
  EXPECT_TRUE(Same(file->keys[2].digest, key.digest));
}

TEST(KeyFileTest, TakesAKeyOutAndLeavesTheRest) {
  const KeyFile file = *ParseKeyFile(kGood);
  const std::string without_first = WithoutKey(kGood, file.keys[0]);
  EXPECT_THAT(without_first, HasSubstr("# The site's.\n[tenant.site]"));
  EXPECT_THAT(without_first, HasSubstr("# Ours.\n[[key]]\nid = \"abcdefg3\""));
  ASSERT_TRUE(ParseKeyFile(without_first).ok());
  EXPECT_EQ(ParseKeyFile(without_first)->keys.size(), 1u);
  const std::string without_last = WithoutKey(kGood, file.keys[1]);
  ASSERT_TRUE(ParseKeyFile(without_last).ok());
  EXPECT_EQ(ParseKeyFile(without_last)->keys[0].id, "abcdefg2");
  EXPECT_THAT(without_last, ::testing::Not(HasSubstr("expires")));
}

TEST(KeyFileTest, WhatWasAddedCanBeTakenOutAgain) {
  std::string text;
  for (const char* id : {"abcdefg2", "abcdefg3", "abcdefg4"}) {
    text = WithKey(text, {.id = id, .tenant = "a", .created = absl::UnixEpoch()},
                   text.empty() ? std::optional<Quota>(Quota()) : std::nullopt);
  }
  for (const char* id : {"abcdefg3", "abcdefg2", "abcdefg4"}) {
    const absl::StatusOr<KeyFile> file = ParseKeyFile(text);
    ASSERT_TRUE(file.ok()) << text;
    for (const KeyEntry& key : file->keys) {
      if (key.id == id) text = WithoutKey(text, key);
    }
  }
  EXPECT_TRUE(ParseKeyFile(text)->keys.empty());
}

}  // namespace
}  // namespace kibitz::server
