#include "server/metrics/process_status.h"

#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

namespace kibitz::server {
namespace {

std::int64_t OpenDescriptors() {
  std::error_code error;
  const std::filesystem::directory_iterator folder("/proc/self/fd", error);
  // The folder itself is open while we look.
  return error ? 0 : std::distance(begin(folder), end(folder)) - 1;
}

std::chrono::microseconds ToMicroseconds(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

}  // namespace

ProcessStatus ReadProcessStatus() {
  ProcessStatus status;
  status.open_descriptors = OpenDescriptors();
  rlimit descriptors{};
  if (getrlimit(RLIMIT_NOFILE, &descriptors) == 0 && descriptors.rlim_cur != RLIM_INFINITY) {
    status.max_descriptors = static_cast<std::int64_t>(descriptors.rlim_cur);
  }
  std::int64_t pages = 0;
  std::int64_t resident_pages = 0;
  if (std::ifstream("/proc/self/statm") >> pages >> resident_pages) {
    status.resident_bytes = resident_pages * sysconf(_SC_PAGESIZE);
  }
  std::ifstream details("/proc/self/status");
  for (std::string name; details >> name && status.threads == 0;) {
    if (name == "Threads:") details >> status.threads;
  }
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) == 0) {
    status.processor_time = ToMicroseconds(usage.ru_utime) + ToMicroseconds(usage.ru_stime);
  }
  return status;
}

}  // namespace kibitz::server
