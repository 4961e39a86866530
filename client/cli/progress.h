// A line on the terminal that tells how far a count has come.

#ifndef KIBITZ_CLIENT_CLI_PROGRESS_H_
#define KIBITZ_CLIENT_CLI_PROGRESS_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace kibitz::client {

// Draws on standard error, a few times a second, while it lives; then wipes its line. Silent if that is no terminal.
class Progress {
 public:
  // `moves` is the number of root moves to count.
  explicit Progress(int moves);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // One more root move is counted.
  void Add(std::uint64_t nodes);

 private:
  void DrawUntilDone();

  const int moves_;
  const std::chrono::steady_clock::time_point start_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int counted_ = 0;
  std::uint64_t nodes_ = 0;
  bool done_ = false;
  std::thread artist_;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_PROGRESS_H_
