#include "server/auth/key_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "server/keys/key.h"
#include "server/keys/key_file.h"

namespace kibitz::server {
namespace {

using ::testing::HasSubstr;

class KeyStoreTest : public ::testing::Test {
 protected:
  KeyStoreTest() : path_(::testing::TempDir() + "/keys_XXXXXX") { close(mkstemp(path_.data())); }
  ~KeyStoreTest() override { unlink(path_.c_str()); }

  // Writes another key, of a tenant "site" with that quota.
  Key Add(int max_depth) {
    const Key key = *MakeKey();
    Write(WithKey("", {.id = key.id, .tenant = "site", .digest = DigestOf(key.text), .created = absl::UnixEpoch()},
                  Quota{.max_depth = max_depth}));
    return key;
  }
  void Write(const std::string& text) { ASSERT_TRUE(ReplaceFile(path_, text).ok()); }

  std::string path_;
};

TEST_F(KeyStoreTest, FindsTheHolderOfAKey) {
  const Key key = Add(10);
  const auto store = KeyStore::Open(path_);
  ASSERT_TRUE(store.ok()) << store.status().message();
  const auto ring = (*store)->ring();
  const KeyRing::Holder* const holder = ring->Find(key.text);
  ASSERT_NE(holder, nullptr);
  EXPECT_EQ(holder->tenant->name, "site");
  EXPECT_EQ(holder->tenant->quota.max_depth, 10);
  std::string wrong = key.text;
  wrong.back() = wrong.back() == 'a' ? 'b' : 'a';
  EXPECT_EQ(ring->Find(wrong), nullptr);
  EXPECT_EQ(ring->Find(MakeKey()->text), nullptr);
  EXPECT_EQ(ring->Find(""), nullptr);
}

TEST_F(KeyStoreTest, AFileThatIsNoGoodIsAnErrorAtTheStart) {
  Write("[tenant.site]\nmax-life = 1\n[[key]]\n");
  const absl::Status status = KeyStore::Open(path_).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr(path_ + " line 2: tenant.site.max-life: is not known"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("; " + path_ + " line 3: key.id: is missing"));
  EXPECT_THAT(std::string(KeyStore::Open(path_ + ".none").status().message()), HasSubstr("cannot be read"));
}

TEST_F(KeyStoreTest, SeesNewKeysAndForgetsOldOnes) {
  const Key old_key = Add(10);
  const auto store = *KeyStore::Open(path_);
  const Key new_key = Add(20);
  EXPECT_EQ(store->ring()->Find(new_key.text), nullptr);
  store->Refresh();
  EXPECT_EQ(store->ring()->Find(old_key.text), nullptr);
  ASSERT_NE(store->ring()->Find(new_key.text), nullptr);
  EXPECT_EQ(store->ring()->Find(new_key.text)->tenant->quota.max_depth, 20);
}

TEST_F(KeyStoreTest, ABrokenFileKeepsTheOldKeys) {
  const Key key = Add(10);
  const auto store = *KeyStore::Open(path_);
  Write("[tenant");
  store->Refresh();
  EXPECT_NE(store->ring()->Find(key.text), nullptr);
  ASSERT_EQ(unlink(path_.c_str()), 0);
  store->Refresh();
  EXPECT_NE(store->ring()->Find(key.text), nullptr);
}

}  // namespace
}  // namespace kibitz::server
