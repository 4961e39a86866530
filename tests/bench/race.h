// Races contenders against each other on a machine that has other things to do: CPU time, interleaved rounds, medians.

#ifndef KIBITZ_TESTS_BENCH_RACE_H_
#define KIBITZ_TESTS_BENCH_RACE_H_

#include <functional>
#include <string>
#include <vector>

namespace kibitz::bench {

struct Contender {
  std::string name;
  // One run of each event: nanoseconds per operation.
  std::vector<std::function<double()>> events;
};

struct Result {
  std::string name;
  std::vector<double> nanoseconds;  // by event: the median of all rounds
  std::vector<double> ratios;       // by event: to the fastest contender, which has 1
};

// Runs every event of every contender once a round, so that a change of the machine's speed meets them all alike.
// All contenders take part in the same events.
std::vector<Result> Race(const std::vector<Contender>& contenders, int rounds);

// The middle one of some values; at least one.
double Median(std::vector<double> values);

// A figure for a table of JSON: three decimals are more than the machine's noise leaves true.
double Rounded(double figure);

// The CPU time of this thread so far.
double CpuNanoseconds();

}  // namespace kibitz::bench

#endif  // KIBITZ_TESTS_BENCH_RACE_H_
