#include "client/match/processors.h"

#include <sched.h>

#include <cstddef>

namespace kibitz::client {

std::vector<int> OwnProcessors() {
  cpu_set_t set;
  std::vector<int> processors;
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return processors;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(static_cast<std::size_t>(i), &set)) processors.push_back(i);
  }
  return processors;
}

std::vector<int> ProcessorShare(const std::vector<int>& processors, int index, int count) {
  const std::size_t share = processors.size() / static_cast<std::size_t>(count);
  const auto begin = processors.begin() + static_cast<std::ptrdiff_t>(share) * index;
  return {begin, begin + static_cast<std::ptrdiff_t>(share)};
}

void StayOn(const std::vector<int>& processors) {
  if (processors.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int i : processors) CPU_SET(static_cast<std::size_t>(i), &set);
  // Where it is not allowed, the games are played all the same.
  sched_setaffinity(0, sizeof(set), &set);
}

}  // namespace kibitz::client
