// A bound on log lines that somebody else can cause.

#ifndef KIBITZ_SERVER_ERRORS_LOG_LIMIT_H_
#define KIBITZ_SERVER_ERRORS_LOG_LIMIT_H_

#include <atomic>
#include <chrono>
#include <cstdint>

namespace kibitz::server {

// May be asked from any thread.
class LogLimit {
 public:
  explicit LogLimit(int lines_per_second = 1) : lines_per_second_(lines_per_second) {}

  // Whether there is room for another line in this second.
  bool Allow() {
    const std::int64_t second =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
    if (std::int64_t last = second_.load(); last != second && second_.compare_exchange_strong(last, second)) lines_ = 0;
    return ++lines_ <= lines_per_second_;
  }

 private:
  const int lines_per_second_;
  std::atomic<std::int64_t> second_{-1};
  std::atomic<int> lines_{0};
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_ERRORS_LOG_LIMIT_H_
