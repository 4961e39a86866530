#include "server/files/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace kibitz::server {
namespace {

using ::testing::HasSubstr;

class FilesTest : public ::testing::Test {
 protected:
  FilesTest() : folder_(::testing::TempDir() + "/files_XXXXXX") { EXPECT_NE(mkdtemp(folder_.data()), nullptr); }
  ~FilesTest() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  static std::string Content(const std::string& path) { return ReadFile(path, 1000).value_or("unreadable"); }
  static mode_t Mode(const std::string& path) {
    struct stat status{};
    EXPECT_EQ(stat(path.c_str(), &status), 0);
    return status.st_mode & 0777;
  }
  std::size_t FilesInFolder() const {
    const std::filesystem::directory_iterator entries(folder_);
    return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
  }

  std::string folder_;
};

TEST_F(FilesTest, ReadsWhatIsThere) {
  std::ofstream(Path("a")) << "content";
  EXPECT_EQ(*ReadFile(Path("a"), 7), "content");
}

TEST_F(FilesTest, SaysWhatIsWrongWithAFile) {
  EXPECT_THAT(std::string(ReadFile(Path("none"), 7).status().message()),
              HasSubstr("none cannot be read: No such file"));
  EXPECT_THAT(std::string(ReadFile(folder_, 7).status().message()), HasSubstr("is not a file"));
  std::ofstream(Path("large")) << "12345678";
  EXPECT_THAT(std::string(ReadFile(Path("large"), 7).status().message()), HasSubstr("larger than 7 bytes"));
}

TEST_F(FilesTest, DoesNotWaitForAPipe) {
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(std::string(ReadFile(Path("pipe"), 7).status().message()), HasSubstr("is not a file"));
}

TEST_F(FilesTest, NewFilesAreForTheirOwnerAndNeverOverwrite) {
  ASSERT_TRUE(WriteNewFile(Path("a"), "first").ok());
  EXPECT_EQ(Mode(Path("a")), 0600u);
  EXPECT_TRUE(absl::IsAlreadyExists(WriteNewFile(Path("a"), "second")));
  EXPECT_EQ(Content(Path("a")), "first");
}

TEST_F(FilesTest, ReplacesTheContentButNotThePermissions) {
  ASSERT_TRUE(ReplaceFile(Path("a"), "first").ok());
  EXPECT_EQ(Mode(Path("a")), 0600u);
  ASSERT_EQ(chmod(Path("a").c_str(), 0644), 0);
  ASSERT_TRUE(ReplaceFile(Path("a"), "second").ok());
  EXPECT_EQ(Content(Path("a")), "second");
  EXPECT_EQ(Mode(Path("a")), 0640u);
  EXPECT_EQ(FilesInFolder(), 1u);
}

TEST_F(FilesTest, ReplacesTheFileBehindALink) {
  ASSERT_TRUE(ReplaceFile(Path("a"), "first").ok());
  ASSERT_EQ(symlink("a", Path("link").c_str()), 0);
  ASSERT_TRUE(ReplaceFile(Path("link"), "second").ok());
  EXPECT_TRUE(std::filesystem::is_symlink(Path("link")));
  EXPECT_EQ(Content(Path("a")), "second");
}

TEST_F(FilesTest, WhatCannotBeWrittenLeavesNothingBehind) {
  const absl::Status status = ReplaceFile(Path("none/a"), "content");
  EXPECT_THAT(std::string(status.message()), HasSubstr("none/a cannot be written: No such file"));
  EXPECT_EQ(FilesInFolder(), 0u);
}

TEST_F(FilesTest, AWatchSeesEveryChangeOnce) {
  FileWatch watch({Path("a"), Path("b")});
  EXPECT_FALSE(watch.Changed());
  ASSERT_TRUE(ReplaceFile(Path("a"), "first").ok());
  EXPECT_TRUE(watch.Changed());
  EXPECT_FALSE(watch.Changed());
  // Of the same size, and perhaps in the same moment.
  ASSERT_TRUE(ReplaceFile(Path("a"), "other").ok());
  EXPECT_TRUE(watch.Changed());
  std::ofstream(Path("b")) << "content";
  EXPECT_TRUE(watch.Changed());
  ASSERT_EQ(unlink(Path("a").c_str()), 0);
  EXPECT_TRUE(watch.Changed());
  EXPECT_FALSE(watch.Changed());
}

TEST_F(FilesTest, AWatchFollowsLinks) {
  ASSERT_TRUE(WriteNewFile(Path("a"), "same").ok());
  ASSERT_TRUE(WriteNewFile(Path("b"), "same").ok());
  ASSERT_EQ(symlink("a", Path("link").c_str()), 0);
  FileWatch watch({Path("link")});
  ASSERT_EQ(symlink("b", Path("next").c_str()), 0);
  std::filesystem::rename(Path("next"), Path("link"));
  EXPECT_TRUE(watch.Changed());
}

}  // namespace
}  // namespace kibitz::server
