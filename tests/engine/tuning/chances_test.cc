#include "engine/tuning/chances.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "engine/tuning/record.h"

namespace kibitz::tuning {
namespace {

// Games whose results are drawn by a known curve, which the fit must find again.
TEST(ChancesTest, FindsTheCurveThatMadeTheResults) {
  constexpr double kEven = 130;
  constexpr double kSpread = 70;
  const auto win = [](double score) { return 1 / (1 + std::exp((kEven - score) / kSpread)); };
  std::mt19937 random(1);
  std::uniform_real_distribution<double> chance(0, 1);
  std::vector<Record> records;
  for (int i = 0; i < 200'000; ++i) {
    const int score = static_cast<int>(random() % 801) - 400;
    const double drawn = chance(random);
    const double result = drawn < win(score) ? 1 : drawn > 1 - win(-score) ? 0 : 0.5;
    records.push_back(Pack(Position(), {.value = score, .result = result}));
  }
  const Chances chances = FitChances(records);
  EXPECT_NEAR(chances.even, kEven, 5);
  EXPECT_NEAR(chances.spread, kSpread, 4);
}

}  // namespace
}  // namespace kibitz::tuning
