// A chess engine as a child process that speaks UCI. No wait is without a bound.

#ifndef KIBITZ_TESTS_SUPPORT_UCI_PROCESS_H_
#define KIBITZ_TESTS_SUPPORT_UCI_PROCESS_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kibitz {

class UciProcess {
 public:
  static absl::StatusOr<std::unique_ptr<UciProcess>> Start(const std::string& program);
  // Ends the child at once.
  ~UciProcess();

  UciProcess(const UciProcess&) = delete;
  UciProcess& operator=(const UciProcess&) = delete;

  // Sends the commands, which end in a newline each, and returns the lines of the answer up to the first that begins
  // with `last`. DEADLINE_EXCEEDED if that line does not come within `patience`, UNAVAILABLE if the engine ended.
  absl::StatusOr<std::vector<std::string>> Ask(absl::string_view commands, absl::string_view last,
                                               absl::Duration patience = absl::Seconds(20));

  // The processor's time that the engine has used so far.
  absl::Duration CpuTime() const;

 private:
  UciProcess(pid_t child, int socket) : child_(child), socket_(socket) {}

  absl::Status Send(absl::string_view text);
  absl::StatusOr<std::string> ReadLine(absl::Time deadline);

  const pid_t child_;
  const int socket_;
  std::string unread_;
};

}  // namespace kibitz

#endif  // KIBITZ_TESTS_SUPPORT_UCI_PROCESS_H_
