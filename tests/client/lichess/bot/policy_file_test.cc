#include "client/lichess/bot/policy_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kibitz::client::lichess {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(PolicyFileTest, ReadsWhatIsThere) {
  const auto policy = ParsePolicy(R"(
[challenges]
variants = ["chess960"]
rated = false
min_initial = 60
block = ["Mallory"]
[play]
book = "book.bin"
strength_elo = 1500
human_times = true
takebacks = "always"
[stop]
games = "resign"
grace = 5.5
[matchmaking]
on = true
clocks = ["1+0", "0.5+1"]
)");
  ASSERT_TRUE(policy.ok()) << policy.status();
  EXPECT_THAT(policy->challenges.variants, ElementsAre("chess960"));
  EXPECT_FALSE(policy->challenges.rated);
  EXPECT_EQ(policy->challenges.min_initial, absl::Minutes(1));
  EXPECT_THAT(policy->challenges.block, ElementsAre("Mallory"));
  EXPECT_EQ(policy->play.book, "book.bin");
  EXPECT_EQ(policy->play.strength_elo, 1500);
  EXPECT_EQ(policy->play.takebacks, TakebackPolicy::kAlways);
  EXPECT_EQ(policy->on_stop, StopPolicy::kResign);
  EXPECT_EQ(policy->grace, absl::Seconds(5.5));
  ASSERT_EQ(policy->matchmaking.clocks.size(), 2u);
  EXPECT_EQ(policy->matchmaking.clocks[1].initial, absl::Seconds(30));
}

TEST(PolicyFileTest, NothingMeansTheDefaults) { EXPECT_TRUE(ParsePolicy("").ok()); }

TEST(PolicyFileTest, TellsAllFaultsAtOnceWithLineAndField) {
  const auto policy = ParsePolicy(
      "[challenges]\n"
      "rated = 1\n"
      "variants = [\"atomic\", 3]\n"
      "color = \"white\"\n"
      "max_games = 0\n"
      "[play]\n"
      "takebacks = \"often\"\n"
      "strength_elo = 10\n"
      "[boat]\n");
  ASSERT_FALSE(policy.ok());
  EXPECT_THAT(std::string(policy.status().message()),
              AllOf(HasSubstr("line 2: challenges.rated: is neither true nor false"),
                    HasSubstr("line 3: challenges.variants: is none of"),
                    HasSubstr("line 3: challenges.variants: is not a text"),
                    HasSubstr("line 4: challenges.color: is not known"),
                    HasSubstr("line 5: challenges.max_games: is not a whole number from 1 to 100"),
                    HasSubstr("line 7: play.takebacks: is none of \"never\", \"casual\", \"always\""),
                    HasSubstr("play.strength_elo: is not 0"), HasSubstr("line 9: boat: is not known")));
}

TEST(PolicyFileTest, RefusesWhatIsNoToml) {
  for (const char* text : {"[challenges", "[[[", "a = ", "challenges = 3"}) {
    EXPECT_FALSE(ParsePolicy(text).ok()) << text;
  }
}

// The file that operators copy has every field, with its default.
TEST(PolicyFileTest, ReadsTheFileToCopy) {
  const auto policy = ReadPolicyFile("deploy/lichess-bot.toml");
  ASSERT_TRUE(policy.ok()) << policy.status();
  const BotPolicy usual;
  EXPECT_EQ(policy->challenges.variants, usual.challenges.variants);
  EXPECT_EQ(policy->challenges.max_initial, usual.challenges.max_initial);
  EXPECT_EQ(policy->challenges.max_games, usual.challenges.max_games);
  EXPECT_EQ(policy->play.move_overhead, usual.play.move_overhead);
  EXPECT_EQ(policy->play.abort_after, usual.play.abort_after);
  EXPECT_EQ(policy->draw.moves, usual.draw.moves);
  EXPECT_EQ(policy->resign.centipawns, usual.resign.centipawns);
  EXPECT_EQ(policy->grace, usual.grace);
  EXPECT_EQ(policy->matchmaking.pause_per_opponent, usual.matchmaking.pause_per_opponent);
}

TEST(PolicyFileTest, NamesTheFile) {
  EXPECT_THAT(std::string(ReadPolicyFile("/no/such/file").status().message()), HasSubstr("/no/such/file"));
}

}  // namespace
}  // namespace kibitz::client::lichess
