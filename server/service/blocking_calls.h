// Threads for what may block, on a disk or a network, so that nobody waits for it who has calls to answer.

#ifndef KIBITZ_SERVER_SERVICE_BLOCKING_CALLS_H_
#define KIBITZ_SERVER_SERVICE_BLOCKING_CALLS_H_

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/status/status.h"

namespace kibitz::server {

// All methods may be called from any thread.
class BlockingCalls {
 public:
  // Throws what the system throws when there are no threads to be had.
  BlockingCalls(int threads, std::size_t max_waiting);
  // Calls Shutdown.
  ~BlockingCalls();

  // Does it as soon as a thread is free. RESOURCE_EXHAUSTED: too much waits already; UNAVAILABLE: after Shutdown.
  absl::Status Post(std::function<void()> work);

  // Does what waits, and returns when nothing runs any more. Not from the work.
  void Shutdown();

 private:
  void Run();

  const std::size_t max_waiting_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SERVICE_BLOCKING_CALLS_H_
