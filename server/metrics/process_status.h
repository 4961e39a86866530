// What the system knows about this process.

#ifndef KIBITZ_SERVER_METRICS_PROCESS_STATUS_H_
#define KIBITZ_SERVER_METRICS_PROCESS_STATUS_H_

#include <chrono>
#include <cstdint>

namespace kibitz::server {

// What cannot be told is 0.
struct ProcessStatus {
  std::int64_t open_descriptors = 0;
  std::int64_t max_descriptors = 0;
  std::int64_t resident_bytes = 0;
  std::int64_t threads = 0;
  std::chrono::microseconds processor_time{0};  // of all its threads, in the program and in the system
};

ProcessStatus ReadProcessStatus();

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_METRICS_PROCESS_STATUS_H_
