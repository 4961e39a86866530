#include "client/key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace kibitz::client {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string Write(const std::string& text) {
  const std::string path = ::testing::TempDir() + "/key";
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

TEST(KeyTest, IsWhatTheFileHolds) {
  EXPECT_EQ(ReadKeyFile(Write("sesame")).value(), "sesame");
  EXPECT_EQ(ReadKeyFile(Write(" \tsesame\r\n\n")).value(), "sesame");
}

TEST(KeyTest, NamesTheFileThatCannotBeRead) {
  EXPECT_THAT(ReadKeyFile("/no/such/key").status().ToString(),
              AllOf(HasSubstr("/no/such/key cannot be read (No such file or directory)"),
                    HasSubstr("name a file that holds the key")));
  EXPECT_THAT(ReadKeyFile(::testing::TempDir()).status().ToString(), HasSubstr("cannot be read (Is a directory)"));
}

TEST(KeyTest, RefusesWhatIsNoKeyWithoutShowingIt) {
  for (const std::string& text : {std::string("secret word"), std::string("secret\nword\n"),
                                  std::string("secret\0word", 11), std::string("secret\xc3\xa4")}) {
    const std::string path = Write(text);
    EXPECT_THAT(ReadKeyFile(path).status().ToString(),
                AllOf(HasSubstr(path + " holds more"), Not(HasSubstr("secret"))));
    EXPECT_THAT(CheckKey(text).ToString(), AllOf(HasSubstr("cannot be sent"), Not(HasSubstr("secret"))));
  }
  EXPECT_THAT(ReadKeyFile(Write(" \n")).status().ToString(), HasSubstr("is empty"));
  EXPECT_THAT(ReadKeyFile(Write(std::string(5000, 'x'))).status().ToString(), HasSubstr("is too large"));
}

TEST(KeyTest, MayBeNone) { EXPECT_TRUE(CheckKey("").ok()); }

}  // namespace
}  // namespace kibitz::client
