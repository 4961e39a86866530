// A chess engine as a child process that reads and writes lines. No wait is without a bound.

#ifndef KIBITZ_CLIENT_MATCH_ENGINE_PROCESS_H_
#define KIBITZ_CLIENT_MATCH_ENGINE_PROCESS_H_

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kibitz::client {

// The path of a program: what has a slash in it is one, other names are looked for on PATH and in Debian's folder for
// games, which often is not on it. Nothing if there is no such program.
std::optional<std::string> FindProgram(const std::string& name);

class EngineProcess {
 public:
  struct Command {
    std::vector<std::string> words;  // the program, as FindProgram takes it, and its arguments
    std::string folder = "";         // where it runs; empty: here
  };

  // Starts the program on the processors of the calling thread, in a process group of its own, so that Ctrl-C is ours
  // to answer. Its standard error is dropped.
  static absl::StatusOr<std::unique_ptr<EngineProcess>> Start(const Command& command);
  // Ends the child, and what it has started, at once.
  ~EngineProcess();

  EngineProcess(const EngineProcess&) = delete;
  EngineProcess& operator=(const EngineProcess&) = delete;

  // Sends commands, which end in a newline each. UNAVAILABLE if nobody reads them.
  absl::Status Send(absl::string_view commands);
  // The next line. DEADLINE_EXCEEDED if it does not come in time, UNAVAILABLE if the engine ended.
  absl::StatusOr<std::string> ReadLine(std::chrono::steady_clock::time_point deadline);
  // Sends the commands and returns the lines of the answer up to the first that begins with `last`.
  absl::StatusOr<std::vector<std::string>> Ask(absl::string_view commands, absl::string_view last,
                                               absl::Duration patience = absl::Seconds(20));

  // Kills the engine, so that whoever waits for a line waits no longer. For any thread.
  void Kill();

  // The processor's time that the engine has used so far.
  absl::Duration CpuTime() const;

 private:
  EngineProcess(pid_t child, int socket) : child_(child), socket_(socket) {}

  const pid_t child_;
  const int socket_;
  std::string unread_;         // with what was read and not dropped yet
  std::size_t next_line_ = 0;  // in that
};

// An engine, and what to set in it, whichever protocol it speaks.
struct EngineOptions {
  EngineProcess::Command command;
  // By name, in this order.
  std::vector<std::pair<std::string, std::string>> options;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_MATCH_ENGINE_PROCESS_H_
