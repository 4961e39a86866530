#include "engine/search/time_manager.h"

#include <gtest/gtest.h>

namespace kibitz {
namespace {

using std::chrono::milliseconds;

Limits ClockOf(int time_ms, int increment_ms, int moves_to_go = 0) {
  Limits limits;
  limits.clock = Limits::Clock{.time = {milliseconds(time_ms), milliseconds(1)},
                               .increment = {milliseconds(increment_ms), {}},
                               .moves_to_go = moves_to_go};
  return limits;
}

TEST(TimeManagerTest, HasNothingToSayWithoutTime) {
  Limits limits;
  limits.depth = 5;
  EXPECT_FALSE(PlanTime(limits, Color::kWhite).has_value());
}

TEST(TimeManagerTest, UsesAFixedTimeInFull) {
  Limits limits;
  limits.movetime = milliseconds(250);
  EXPECT_EQ(PlanTime(limits, Color::kWhite)->hard, milliseconds(250));
}

TEST(TimeManagerTest, TakesTheLesserOfClockAndFixedTime) {
  Limits limits = ClockOf(60'000, 0);
  limits.movetime = milliseconds(50);
  EXPECT_EQ(PlanTime(limits, Color::kWhite)->hard, milliseconds(50));
  limits.movetime = std::chrono::hours(1);
  EXPECT_LT(PlanTime(limits, Color::kWhite)->hard, milliseconds(60'000));
}

TEST(TimeManagerTest, NeverPlansMoreThanTheClockHas) {
  for (int time : {1, 5, 20, 100, 1000, 60'000, 7'200'000}) {
    for (int increment : {0, 10, 2000}) {
      for (int moves : {0, 1, 2, 40}) {
        const TimeBudget budget = *PlanTime(ClockOf(time, increment, moves), Color::kWhite);
        EXPECT_LE(budget.soft, budget.hard);
        EXPECT_GE(budget.soft, milliseconds(1));
        if (time > 20) EXPECT_LT(budget.hard, milliseconds(time)) << time << " " << increment << " " << moves;
      }
    }
  }
}

TEST(TimeManagerTest, LooksAtTheMoversClock) {
  EXPECT_GT(PlanTime(ClockOf(60'000, 0), Color::kWhite)->soft, PlanTime(ClockOf(60'000, 0), Color::kBlack)->soft);
}

TEST(TimeManagerTest, ThinksLongerWhenUnsure) { EXPECT_GT(SoftTimeScale(0, 40, 200), SoftTimeScale(6, 0, 800)); }

}  // namespace
}  // namespace kibitz
