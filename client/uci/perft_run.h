// "go perft": a count of move paths on a thread of its own.

#ifndef KIBITZ_CLIENT_UCI_PERFT_RUN_H_
#define KIBITZ_CLIENT_UCI_PERFT_RUN_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>

#include "engine/board/position.h"

namespace kibitz::client::uci {

class PerftRun {
 public:
  // Counts, then calls `on_end` on the run's own thread with the lines to print.
  PerftRun(const Position& position, std::int64_t depth, int threads, std::function<void(std::string lines)> on_end);
  // Stops the count and waits for it: a few milliseconds.
  ~PerftRun();
  PerftRun(const PerftRun&) = delete;
  PerftRun& operator=(const PerftRun&) = delete;

 private:
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

}  // namespace kibitz::client::uci

#endif  // KIBITZ_CLIENT_UCI_PERFT_RUN_H_
