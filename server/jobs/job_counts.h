// How a queue of jobs does, for those who watch it.

#ifndef KIBITZ_SERVER_JOBS_JOB_COUNTS_H_
#define KIBITZ_SERVER_JOBS_JOB_COUNTS_H_

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace kibitz::server {

// Counts of events are since the start.
struct JobCounts {
  static constexpr std::size_t kStates = 7;

  bool working = false;                      // it can be used
  std::array<std::int64_t, kStates> jobs{};  // by JobState
  std::int64_t waiting_parts = 0;            // of jobs that are not over
  std::int64_t running_parts = 0;
  std::chrono::nanoseconds oldest_part{0};  // how long the oldest that waits has waited; 0: none does
  std::int64_t submitted = 0;
  std::int64_t parts_done = 0;
  std::int64_t parts_failed = 0;  // attempts that failed, or took their node down
  std::int64_t parts_given_back = 0;
  std::int64_t parts_set_aside = 0;
  std::int64_t failures = 0;   // times that the queue could not be used
  std::int64_t bytes = 0;      // that it takes on disk, as far as is known
  std::int64_t max_bytes = 0;  // that it may take
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_JOBS_JOB_COUNTS_H_
