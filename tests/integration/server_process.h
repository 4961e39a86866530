// A server as a process of its own, for tests and benchmarks.

#ifndef KIBITZ_TESTS_INTEGRATION_SERVER_PROCESS_H_
#define KIBITZ_TESTS_INTEGRATION_SERVER_PROCESS_H_

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kibitz::integration {

// A program with its output caught. It is killed when this goes.
class ServerProcess {
 public:
  // Starts a program and waits until it says where it listens, or ends.
  ServerProcess(const std::string& program, const std::vector<std::string>& arguments);
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  // HOST:PORT as the program said. Empty when it ended without a word.
  const std::string& address() const { return address_; }
  pid_t pid() const { return pid_; }

  void Signal(int signal) const;

  // Its exit code, or 128 and the number of the signal that ended it. Nothing when it still runs after `patience`.
  std::optional<int> WaitForExit(std::chrono::milliseconds patience);

  // What it wrote on standard error. Waits for its end of the pipe to close: call it after WaitForExit.
  std::string ReadStandardError();

 private:
  pid_t pid_ = -1;
  int stdout_ = -1;
  int stderr_ = -1;
  std::string address_;
  std::optional<int> exit_code_;
};

}  // namespace kibitz::integration

#endif  // KIBITZ_TESTS_INTEGRATION_SERVER_PROCESS_H_
