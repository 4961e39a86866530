// How much later moves are reduced, from a table of logarithms that the compiler computes: no machine's floating point
// has a say in a search.

#ifndef KIBITZ_ENGINE_SEARCH_REDUCTIONS_H_
#define KIBITZ_ENGINE_SEARCH_REDUCTIONS_H_

#include <algorithm>
#include <array>

namespace kibitz {

namespace reductions_internal {

// The natural logarithm by the series of atanh, after taking out powers of two.
constexpr double Ln(double x) {
  double powers = 0;
  for (; x > 1.5; x /= 2) powers += 0.6931471805599453;
  const double y = (x - 1) / (x + 1);
  double sum = 0;
  double term = y;
  for (int i = 1; i < 60; i += 2, term *= y * y) sum += term / i;
  return powers + 2 * sum;
}

inline constexpr int kSize = 256;
inline constexpr auto kLogs = [] {
  std::array<int, kSize> logs{};
  for (int i = 1; i < kSize; ++i) logs[i] = static_cast<int>(Ln(i) * 1024);
  return logs;
}();

}  // namespace reductions_internal

// In 1024ths of a ply.
inline constexpr int kPly = 1024;

constexpr int BaseReduction(int depth, int move_number) {
  using reductions_internal::kLogs;
  using reductions_internal::kSize;
  const int product = kLogs[std::min(depth, kSize - 1)] * (kLogs[std::min(move_number, kSize - 1)] / 16) / 64;
  return 700 + product * 10 / 23;
}

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_REDUCTIONS_H_
