#include "server/flag_errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace kibitz::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// A program of three flags.
class FlagErrorsTest : public ::testing::Test {
 protected:
  void TearDown() override { unsetenv("FLAG_ERRORS_TEST_WORKERS"); }

  std::vector<std::string> Find(const std::vector<std::string>& command_line) {
    return FindFlagErrors(
        [this](CLI::App& app) {
          app.add_option("--workers", workers_)->check(CLI::Range(0, 10))->envname("FLAG_ERRORS_TEST_WORKERS");
          app.add_option("--level", level_)->check(CLI::IsMember({"low", "high"}));
          app.add_flag("--quiet", quiet_);
          app.set_config("--config");
        },
        command_line);
  }

  std::string Write(const std::string& content) {
    const std::string path = ::testing::TempDir() + "/flags.toml";
    std::ofstream(path) << content;
    return path;
  }

  int workers_ = 1;
  std::string level_;
  bool quiet_ = false;
};

TEST_F(FlagErrorsTest, NothingIsWrongWithGoodFlags) {
  EXPECT_THAT(Find({}), ElementsAre());
  EXPECT_THAT(Find({"--workers", "3", "--level=low", "--quiet", "--config", Write("level = \"high\"\n")}),
              ElementsAre());
  EXPECT_EQ(workers_, 3);
  EXPECT_EQ(level_, "low");
}

TEST_F(FlagErrorsTest, AllIsSaidAtOnce) {
  setenv("FLAG_ERRORS_TEST_WORKERS", "-1", 1);
  const std::string path = Write("# a comment\nworkers = 99\n\n  wrokers = 2\nlevel = \"middle\"\n");
  EXPECT_THAT(Find({"--workers=many", "--nonsense", "word", "--level", "loud", "--config", path}),
              ElementsAre(StartsWith("--nonsense: there is no such flag"), StartsWith("word: there is no such flag"),
                          StartsWith(path + ":4: wrokers: there is no such setting"), StartsWith("--workers: "),
                          StartsWith("--level: "), StartsWith("FLAG_ERRORS_TEST_WORKERS: "),
                          StartsWith(path + ":2: workers: "), StartsWith(path + ":5: level: ")));
}

TEST_F(FlagErrorsTest, WhatIsGoodIsKeptBesideWhatIsNot) {
  setenv("FLAG_ERRORS_TEST_WORKERS", "4", 1);
  EXPECT_EQ(Find({"--level", "loud", "--config", Write("workers = 7\n")}).size(), 1u);
  EXPECT_EQ(workers_, 4);
}

TEST_F(FlagErrorsTest, AValueThatIsMissing) {
  EXPECT_THAT(Find({"--workers"}), ElementsAre(StartsWith("--workers: ")));
}

TEST_F(FlagErrorsTest, AnEmptyValueIsAValue) {
  EXPECT_THAT(Find({"--level", ""}), ElementsAre(HasSubstr("low")));
  EXPECT_THAT(Find({"--level="}), ElementsAre(HasSubstr("low")));
}

TEST_F(FlagErrorsTest, AFileThatIsNotThere) {
  EXPECT_THAT(Find({"--config", "/nonexistent.toml"}), ElementsAre(HasSubstr("/nonexistent.toml: cannot be read")));
}

TEST_F(FlagErrorsTest, AFileThatIsNoToml) {
  // Whatever is in it, it is told and does no harm.
  for (const char* content : {"workers", "[section]\nworkers = 2\n", "workers = [", "workers = \"\n"}) {
    EXPECT_FALSE(Find({"--config", Write(content)}).empty()) << content;
  }
}

}  // namespace
}  // namespace kibitz::server
