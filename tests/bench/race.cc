#include "tests/bench/race.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace kibitz::bench {

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double Rounded(double figure) { return std::round(figure * 1000) / 1000; }

std::vector<Result> Race(const std::vector<Contender>& contenders, int rounds) {
  const std::size_t num_events = contenders.front().events.size();
  std::vector times(num_events, std::vector<std::vector<double>>(contenders.size()));
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t event = 0; event < num_events; ++event) {
      for (std::size_t i = 0; i < contenders.size(); ++i) times[event][i].push_back(contenders[i].events[event]());
    }
  }

  std::vector<Result> results;
  for (const Contender& contender : contenders) results.push_back({contender.name, {}, {}});
  for (const auto& event_times : times) {
    for (std::size_t i = 0; i < results.size(); ++i) results[i].nanoseconds.push_back(Median(event_times[i]));
    const auto fastest = std::min_element(results.begin(), results.end(), [](const Result& a, const Result& b) {
      return a.nanoseconds.back() < b.nanoseconds.back();
    });
    const double best = fastest->nanoseconds.back();
    for (Result& result : results) result.ratios.push_back(result.nanoseconds.back() / best);
  }
  return results;
}

double CpuNanoseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

}  // namespace kibitz::bench
