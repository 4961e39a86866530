#include "server/keys/key.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "absl/strings/match.h"

namespace kibitz::server {
namespace {

TEST(KeyTest, HasAnIdAndASecret) {
  const absl::StatusOr<Key> key = MakeKey();
  ASSERT_TRUE(key.ok());
  EXPECT_TRUE(absl::StartsWith(key->text, "kbz_" + key->id + "_"));
  EXPECT_EQ(key->text.size(), 65u);
  EXPECT_EQ(KeyIdOf(key->text), key->id);
}

TEST(KeyTest, NoTwoAreAlike) {
  std::set<std::string> ids, secrets;
  for (int i = 0; i < 1000; ++i) {
    const Key key = *MakeKey();
    ids.insert(key.id);
    secrets.insert(key.text.substr(13));
  }
  EXPECT_EQ(ids.size(), 1000u);
  EXPECT_EQ(secrets.size(), 1000u);
}

TEST(KeyTest, UsesAllDigits) {
  std::set<char> digits;
  for (int i = 0; i < 100; ++i) {
    const std::string text = MakeKey()->text;
    digits.insert(text.begin() + 13, text.end() - 1);  // the last has one bit only
  }
  EXPECT_EQ(digits.size(), 32u);
}

TEST(KeyTest, WhatHasAnotherFormHasNoId) {
  const std::string good = MakeKey()->text;
  for (const std::string& bad :
       {std::string(), std::string("kbz_"), good.substr(1), good + "a", good.substr(0, 64), "KBZ" + good.substr(3),
        good.substr(0, 12) + "-" + good.substr(13), good.substr(0, 64) + "1", good.substr(0, 4) + "A" + good.substr(5),
        std::string(65, '\0'), std::string(1 << 20, 'a')}) {
    EXPECT_EQ(KeyIdOf(bad), "") << bad.substr(0, 100);
  }
}

TEST(KeyTest, DigestIsSha256) {
  // The test vector "abc" of FIPS 180-4.
  EXPECT_EQ(ToText(DigestOf("abc")), "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(KeyTest, DigestsAreReadAsTheyAreWritten) {
  const KeyDigest digest = DigestOf("abc");
  ASSERT_TRUE(ParseKeyDigest(ToText(digest)).has_value());
  EXPECT_TRUE(Same(*ParseKeyDigest(ToText(digest)), digest));
  EXPECT_FALSE(Same(digest, DigestOf("abd")));
}

TEST(KeyTest, RefusesWhatIsNoDigest) {
  const std::string good = ToText(DigestOf("abc"));
  for (const std::string& bad : {std::string(), std::string("sha256:"), good + "0", good.substr(0, 70),
                                 "sha1:" + good.substr(7), good.substr(0, 70) + "g", good.substr(0, 70) + "A"}) {
    EXPECT_FALSE(ParseKeyDigest(bad).has_value()) << bad;
  }
}

}  // namespace
}  // namespace kibitz::server
