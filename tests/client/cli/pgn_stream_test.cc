#include "client/cli/pgn_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace kibitz::client {
namespace {

using testing::ElementsAre;

std::vector<std::string> Split(const std::string& text) {
  std::istringstream input(text);
  PgnStream stream(input);
  std::vector<std::string> games;
  for (std::string game; stream.Next(game);) games.push_back(game);
  EXPECT_EQ(stream.bytes(), text.size());
  return games;
}

TEST(PgnStreamTest, SplitsAtResultsAndTags) {
  EXPECT_THAT(Split("[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 d5\n\n[White \"C\"]\n\n*"),
              ElementsAre("[White \"A\"]\n\n1. e4 *\n", "[White \"B\"]\n\n1. d4 d5\n\n", "[White \"C\"]\n\n*"));
  EXPECT_THAT(Split("1. e4 1-0\n1. d4 1/2-1/2 1. c4"), ElementsAre("1. e4 1-0\n", "1. d4 1/2-1/2 ", "1. c4"));
  EXPECT_TRUE(Split("").empty());
  EXPECT_TRUE(Split(" \n\n").empty());
}

TEST(PgnStreamTest, LeavesCommentsAndVariationsWhole) {
  const std::string game =
      "[Event \"a ] \\\" 1-0\"]\n\n1. e4 {1-0 \n[x] (} (1. d4 * ) ; 0-1 here\n% 1-0\n1... e5 0-1\n";
  EXPECT_THAT(Split(game + "1. a3 *"), ElementsAre(game, "1. a3 *"));
}

TEST(PgnStreamTest, TakesWhatIsNoUtf8ForLatin1) {
  EXPECT_THAT(Split("[White \"J\xF6rg\"]\n\n*\n[White \"J\xC3\xB6rg\"]\n\n*"),
              ElementsAre("[White \"J\xC3\xB6rg\"]\n\n*\n", "[White \"J\xC3\xB6rg\"]\n\n*"));
  // Written too long, half of a pair, beyond the last character.
  for (const char* bad : {"\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82"}) {
    EXPECT_NE(Split(std::string("{") + bad + "} *").at(0).find("\xC3"), std::string::npos) << bad;
  }
}

TEST(PgnStreamTest, TellsWhereAGameBegins) {
  std::istringstream input("\n\n1. e4 *\n\n[White \"B\"]\n*\n");
  PgnStream stream(input);
  std::string game;
  ASSERT_TRUE(stream.Next(game));
  EXPECT_EQ(stream.line(), 3u);
  ASSERT_TRUE(stream.Next(game));
  EXPECT_EQ(stream.line(), 5u);
}

TEST(PgnStreamTest, HoldsNoMoreThanAGame) {
  const std::string text(3 * PgnStream::kMaxGameBytes, 'x');
  for (const std::string& part : Split(text)) EXPECT_LE(part.size(), PgnStream::kMaxGameBytes);
}

}  // namespace
}  // namespace kibitz::client
