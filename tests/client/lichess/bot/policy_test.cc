#include "client/lichess/bot/policy.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace kibitz::client::lichess {
namespace {

Challenge FromPerson() {
  return {.id = "abcd1234",
          .from = {.id = "carol", .name = "Carol", .rating = 1800},
          .to = {.id = "kibitz", .name = "Kibitz", .title = "BOT"},
          .rated = false,
          .clock = ClockControl{absl::Minutes(3), absl::Seconds(2)}};
}

Challenge FromBot() {
  Challenge challenge = FromPerson();
  challenge.from.title = "BOT";
  return challenge;
}

TEST(PolicyTest, AcceptsAnUsualChallenge) {
  EXPECT_EQ(ReasonToDecline({}, FromPerson(), {}), "");
  EXPECT_EQ(ReasonToDecline({}, FromBot(), {}), "");
}

TEST(PolicyTest, DeclinesWithTheKeyThatSaysWhatWouldBeAccepted) {
  Challenge challenge = FromPerson();
  EXPECT_EQ(ReasonToDecline({.accept = false}, challenge, {}), "generic");
  EXPECT_EQ(ReasonToDecline({.people = false}, challenge, {}), "onlyBot");
  EXPECT_EQ(ReasonToDecline({.bots = false}, FromBot(), {}), "noBot");
  EXPECT_EQ(ReasonToDecline({.casual = false}, challenge, {}), "rated");
  EXPECT_EQ(ReasonToDecline({.min_initial = absl::Minutes(5)}, challenge, {}), "tooFast");
  EXPECT_EQ(ReasonToDecline({.max_initial = absl::Minutes(1)}, challenge, {}), "tooSlow");
  EXPECT_EQ(ReasonToDecline({.max_increment = absl::Seconds(1)}, challenge, {}), "tooSlow");
  EXPECT_EQ(ReasonToDecline({.max_rating = 1500}, challenge, {}), "generic");
  EXPECT_EQ(ReasonToDecline({.block = {"CAROL"}}, challenge, {}), "generic");
  EXPECT_EQ(ReasonToDecline({.only = {"dave"}}, challenge, {}), "generic");
  challenge.rated = true;
  EXPECT_EQ(ReasonToDecline({.rated = false}, challenge, {}), "casual");
  challenge.variant = "atomic";
  EXPECT_EQ(ReasonToDecline({}, challenge, {}), "variant");
  EXPECT_EQ(ReasonToDecline({.variants = {"standard"}}, challenge, {}), "standard");
  challenge.variant = "standard";
  challenge.clock.reset();
  EXPECT_EQ(ReasonToDecline({}, challenge, {}), "timeControl");
}

TEST(PolicyTest, PutsOffWhatIsTooMuchNow) {
  const Challenge challenge = FromBot();
  EXPECT_EQ(ReasonToDecline({.max_games = 2}, challenge, {.games = 1}), "");
  EXPECT_EQ(ReasonToDecline({.max_games = 2}, challenge, {.games = 2}), "later");
  EXPECT_EQ(ReasonToDecline({}, challenge, {.games = 1, .games_with_opponent = 1}), "later");
  EXPECT_EQ(ReasonToDecline({}, challenge, {.games_with_opponent_today = 20}), "later");
  EXPECT_EQ(ReasonToDecline({}, challenge, {.bot_games_today = 100}), "later");
  EXPECT_EQ(ReasonToDecline({}, FromPerson(), {.bot_games_today = 100}), "");
  EXPECT_EQ(ReasonToDecline({}, challenge, {.stopping = true}), "later");
}

}  // namespace
}  // namespace kibitz::client::lichess
