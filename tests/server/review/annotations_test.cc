#include "server/review/annotations.h"

#include <gtest/gtest.h>

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;

TEST(ClockInTest, ReadsHoursMinutesAndSeconds) {
  EXPECT_EQ(ClockIn("[%clk 1:02:03]"), milliseconds(3'723'000));
  EXPECT_EQ(ClockIn("good [%eval 0.2] [%clk 0:00:09.5]"), milliseconds(9'500));
  EXPECT_EQ(ClockIn("[%clk 45]"), milliseconds(45'000));
}

TEST(ClockInTest, LeavesOtherTextsAlone) {
  for (const char* text : {"", "[%clk]", "[%clk ]", "[%clk x]", "[%clk -1]", "[%clk 1:2:3:4]", "[%clk 1:0",
                           "[%clk inf]", "[%clk nan]", "[%clk 99999999999999]", "clk 1:00:00"}) {
    EXPECT_FALSE(ClockIn(text).has_value()) << text;
  }
}

TEST(WithoutCommandTest, TakesOutAllOfThatName) {
  EXPECT_EQ(WithoutCommand("[%eval 0.3] sharp [%clk 0:01:00] [%eval 1]", "eval"), "sharp [%clk 0:01:00]");
  EXPECT_EQ(WithoutCommand("[%evals 3]", "eval"), "[%evals 3]");
  EXPECT_EQ(WithoutCommand("[%eval 3", "eval"), "[%eval 3");
}

TEST(EvalTextTest, IsWhites) {
  v1::Score score;
  score.set_centipawns(-35);
  EXPECT_EQ(EvalText(score, true), "-0.35");
  EXPECT_EQ(EvalText(score, false), "0.35");
  score.set_mate_in_moves(3);
  EXPECT_EQ(EvalText(score, true), "#3");
  EXPECT_EQ(EvalText(score, false), "#-3");
}

}  // namespace
}  // namespace kibitz::server
