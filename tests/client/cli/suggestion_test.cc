#include "client/cli/suggestion.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kibitz::client {
namespace {

const std::vector<std::string>& Commands() {
  static const std::vector<std::string> commands{"moves", "perft", "analyze", "info"};
  return commands;
}

TEST(SuggestionTest, FindsTheWordBehindASlip) {
  EXPECT_EQ(Nearest("mvoes", Commands()), "moves");
  EXPECT_EQ(Nearest("move", Commands()), "moves");
  EXPECT_EQ(Nearest("perftt", Commands()), "perft");
  EXPECT_EQ(Nearest("analyse", Commands()), "analyze");
  EXPECT_EQ(Nearest("nifo", Commands()), "info");
}

TEST(SuggestionTest, KeepsQuietWhenNothingIsNear) {
  EXPECT_EQ(Nearest("zzz", Commands()), "");
  EXPECT_EQ(Nearest("", Commands()), "");
  EXPECT_EQ(Nearest("moves", {}), "");
}

TEST(SuggestionTest, KeepsQuietAboutHugeWords) { EXPECT_EQ(Nearest(std::string(1'000'000, 'm'), Commands()), ""); }

}  // namespace
}  // namespace kibitz::client
