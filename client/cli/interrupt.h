// Ctrl-C as a stop signal.

#ifndef KIBITZ_CLIENT_CLI_INTERRUPT_H_
#define KIBITZ_CLIENT_CLI_INTERRUPT_H_

#include <atomic>
#include <stop_token>
#include <thread>

namespace kibitz::client {

// Turns SIGINT into a stop request for as long as it lives. A second SIGINT ends the program at once.
//
// The signal is blocked for the threads that are started later, so make this before the others. One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  std::stop_token token() const { return source_.get_token(); }

 private:
  void Watch();

  std::stop_source source_;
  std::atomic<bool> leaving_ = false;
  std::thread watcher_;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_INTERRUPT_H_
