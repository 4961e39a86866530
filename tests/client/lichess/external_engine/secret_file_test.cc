#include "client/lichess/external_engine/secret_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace kibitz::client::lichess {
namespace {

using testing::HasSubstr;

class SecretFileTest : public testing::Test {
 protected:
  std::string PathOf(const std::string& name) const { return folder_ + "/" + name; }

  const std::string folder_ = testing::TempDir() + "/secret_file_test";
  void SetUp() override { std::filesystem::remove_all(folder_); }
};

TEST_F(SecretFileTest, IsMadeOnceForItsOwnerAlone) {
  const std::string path = PathOf("kibitz/secret");
  const auto made = ReadOrMakeSecret(path);
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(made->size(), 64u);
  struct stat file{};
  ASSERT_EQ(stat(path.c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777, 0600u);
  EXPECT_EQ(*ReadOrMakeSecret(path), *made);
  EXPECT_NE(*ReadOrMakeSecret(PathOf("other")), *made);
}

TEST_F(SecretFileTest, IsRefusedWhenOthersMayReadIt) {
  const std::string path = PathOf("secret");
  ASSERT_TRUE(ReadOrMakeSecret(path).ok());
  std::filesystem::permissions(path, std::filesystem::perms(0640));
  EXPECT_THAT(std::string(ReadOrMakeSecret(path).status().message()), HasSubstr("chmod 600"));
}

TEST_F(SecretFileTest, IsRefusedWhenItIsShort) {
  std::filesystem::create_directories(folder_);
  const std::string path = PathOf("secret");
  std::ofstream(path) << "short\n";
  std::filesystem::permissions(path, std::filesystem::perms(0600));
  EXPECT_THAT(std::string(ReadOrMakeSecret(path).status().message()), HasSubstr("shorter than 16"));
}

TEST(SecretTest, IsTakenOutOfOthersWords) {
  EXPECT_EQ(WithoutSecret("no abc here: abc", "abc"), "no (secret) here: (secret)");
  EXPECT_EQ(WithoutSecret("nothing", ""), "nothing");
}

}  // namespace
}  // namespace kibitz::client::lichess
