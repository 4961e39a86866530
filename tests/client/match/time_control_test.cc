#include "client/match/time_control.h"

#include <gtest/gtest.h>

namespace kibitz::client {
namespace {

TimeControl Clock(absl::string_view text) {
  TimeControl control;
  EXPECT_TRUE(ParseClock(text, control).ok()) << text;
  return control;
}

TEST(TimeControlTest, ReadsClocks) {
  const TimeControl simple = Clock("2+0.05");
  EXPECT_EQ(simple.base, absl::Seconds(2));
  EXPECT_EQ(simple.increment, absl::Milliseconds(50));
  EXPECT_EQ(simple.period_moves, 0);
  const TimeControl classic = Clock("40/1:30");
  EXPECT_EQ(classic.period_moves, 40);
  EXPECT_EQ(classic.base, absl::Seconds(90));
  EXPECT_EQ(Clock("0+1").increment, absl::Seconds(1));
}

TEST(TimeControlTest, RefusesWhatIsNoClock) {
  TimeControl control;
  for (const char* text : {"", "fast", "2+", "+1", "0/60", "x/60", "1+2+3", "-1", "0", "1:x", "1e9"}) {
    EXPECT_FALSE(ParseClock(text, control).ok()) << text;
  }
}

TEST(TimeControlTest, WritesWhatItReads) {
  for (const char* text : {"2+0.05", "40/90", "60", "0+1"}) EXPECT_EQ(ToString(Clock(text)), text);
  TimeControl nodes;
  nodes.nodes = 1000;
  EXPECT_EQ(ToString(nodes), "nodes=1000");
}

TEST(GameClockTest, AddsTheIncrement) {
  GameClock clock(Clock("2+0.5"));
  EXPECT_EQ(clock.left(), absl::Seconds(2.5));
  clock.Spend(absl::Seconds(1));
  EXPECT_EQ(clock.left(), absl::Seconds(2));
}

TEST(GameClockTest, NeverFallsBelowZero) {
  GameClock clock(Clock("1"));
  clock.Spend(absl::Seconds(1.02));
  EXPECT_EQ(clock.left(), absl::ZeroDuration());
}

TEST(GameClockTest, AddsTheBaseAfterEachPeriod) {
  GameClock clock(Clock("2/10"));
  EXPECT_EQ(clock.moves_to_go(), 2);
  clock.Spend(absl::Seconds(1));
  EXPECT_EQ(clock.moves_to_go(), 1);
  clock.Spend(absl::Seconds(1));
  EXPECT_EQ(clock.moves_to_go(), 2);
  EXPECT_EQ(clock.left(), absl::Seconds(18));
}

TEST(GameClockTest, AllowsTheMarginBesides) {
  TimeControl control = Clock("1");
  control.margin = absl::Milliseconds(30);
  EXPECT_EQ(GameClock(control).Allowance(), absl::Milliseconds(1030));
  control.move_time = absl::Milliseconds(100);
  EXPECT_EQ(GameClock(control).Allowance(), absl::Milliseconds(130));
  EXPECT_EQ(GameClock(TimeControl()).Allowance(), absl::InfiniteDuration());
}

}  // namespace
}  // namespace kibitz::client
