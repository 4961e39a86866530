#include "client/match/player_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kibitz::client {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

absl::StatusOr<PlayerSpec> Read(const std::vector<std::string>& words, PlayerSpec spec = {}) {
  const absl::StatusOr<Settings> settings = ParseSettings(words);
  if (!settings.ok()) return settings.status();
  if (absl::Status status = Apply(*settings, spec); !status.ok()) return status;
  return spec;
}

TEST(PlayerSpecTest, ReadsAProgram) {
  const auto spec =
      Read({"cmd=engine --uci", "arg=a b", "dir=/tmp", "name=E", "option.Move Overhead=a=b", "tc=2+0.05", "margin=30"});
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_THAT(spec->engine.command.words, ElementsAre("engine", "--uci", "a b"));
  EXPECT_EQ(spec->engine.command.folder, "/tmp");
  EXPECT_EQ(spec->name, "E");
  EXPECT_THAT(spec->engine.options, ElementsAre(Pair("Move Overhead", "a=b")));
  EXPECT_EQ(spec->control.base, absl::Seconds(2));
  EXPECT_EQ(spec->control.margin, absl::Milliseconds(30));
}

TEST(PlayerSpecTest, PlaysAServerThroughThisProgram) {
  const auto spec = Read({"server=host:1"});
  ASSERT_TRUE(spec.ok()) << spec.status();
  ASSERT_EQ(spec->engine.command.words.size(), 4u);
  EXPECT_THAT(spec->engine.command.words[0], testing::EndsWith("player_spec_test"));
  EXPECT_EQ(spec->engine.command.words[3], "host:1");
  EXPECT_EQ(spec->name, "host:1");
  PlayerSpec common;
  common.server_flags = {"--key-file", "/the/key"};
  EXPECT_THAT(Read({"server=host:1"}, common)->engine.command.words,
              ElementsAre(testing::_, "uci", "--server", "host:1", "--key-file", "/the/key"));
}

TEST(PlayerSpecTest, KnowsWhatTheProtocolsCanSay) {
  EXPECT_EQ(Read({"cmd=x"})->protocol, EngineProtocol::kUci);
  EXPECT_EQ(Read({"protocol=xboard", "server=host:1"})->protocol, EngineProtocol::kUci);
  EXPECT_THAT(Read({"protocol=cecp"}).status().ToString(), HasSubstr("there are uci and xboard"));
  const auto check = [](const std::vector<std::string>& words) { return CheckPlayer(*Read(words)).ToString(); };
  EXPECT_EQ(check({"cmd=x", "nodes=9"}), "OK");
  EXPECT_EQ(check({"cmd=x", "protocol=xboard", "tc=1"}), "OK");
  EXPECT_THAT(check({"cmd=x", "protocol=xboard", "nodes=9"}), HasSubstr("no limit of nodes"));
  EXPECT_THAT(check({"cmd=x"}), HasSubstr("how long the players may think"));
  EXPECT_THAT(check({"tc=1"}), HasSubstr("needs cmd=PROGRAM"));
}

TEST(PlayerSpecTest, ReplacesTheLimitsOfAll) {
  const auto common = Read({"tc=2+0.05", "depth=9", "margin=7"});
  const auto own = Read({"nodes=1000"}, *common);
  EXPECT_EQ(ToString(own->control), "nodes=1000");
  EXPECT_EQ(own->control.margin, absl::Milliseconds(7));
  EXPECT_EQ(ToString(Read({"name=x"}, *common)->control), "2+0.05 depth=9");
}

TEST(PlayerSpecTest, SaysWhatItDoesNotUnderstand) {
  EXPECT_THAT(Read({"cmd"}).status().ToString(), HasSubstr("'cmd' is not KEY=VALUE"));
  EXPECT_THAT(Read({"=x"}).status().ToString(), HasSubstr("not KEY=VALUE"));
  EXPECT_THAT(Read({"speed=9"}).status().ToString(), HasSubstr("'speed' is unknown"));
  EXPECT_THAT(Read({"nodes=many"}).status().ToString(), HasSubstr("no number"));
  EXPECT_THAT(Read({"st=-1"}).status().ToString(), HasSubstr("negative"));
}

TEST(PlayerSpecTest, GivesEverybodyAnotherName) {
  std::vector<PlayerSpec> specs = {*Read({"cmd=/usr/games/toga2"}), *Read({"cmd=toga2"}), *Read({"cmd=x", "name=y"})};
  NamePlayers(specs);
  EXPECT_EQ(specs[0].name, "toga2");
  EXPECT_EQ(specs[1].name, "toga2 2");
  EXPECT_EQ(specs[2].name, "y");
}

}  // namespace
}  // namespace kibitz::client
