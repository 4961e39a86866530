#include "tests/support/uci_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"

namespace kibitz {

absl::StatusOr<std::unique_ptr<UciProcess>> UciProcess::Start(const std::string& program) {
  // A socket pair serves both directions, and writing to it after the child's end is an error rather than a signal.
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return absl::InternalError(absl::StrCat("socketpair: ", std::strerror(errno)));
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::string name = program;
  char* const arguments[] = {name.data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    return absl::NotFoundError(absl::StrCat(program, ": ", std::strerror(error)));
  }
  return std::unique_ptr<UciProcess>(new UciProcess(child, ends[0]));
}

UciProcess::~UciProcess() {
  close(socket_);
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
}

absl::StatusOr<std::vector<std::string>> UciProcess::Ask(absl::string_view commands, absl::string_view last,
                                                         absl::Duration patience) {
  const absl::Time deadline = absl::Now() + patience;
  if (absl::Status status = Send(commands); !status.ok()) return status;
  std::vector<std::string> lines;
  while (true) {
    absl::StatusOr<std::string> line = ReadLine(deadline);
    if (!line.ok()) return absl::Status(line.status().code(), absl::StrCat(line.status().message(), ": ", commands));
    lines.push_back(*std::move(line));
    if (absl::StartsWith(lines.back(), last)) return lines;
  }
}

// Commands are far smaller than the socket's buffer, so one that does not fit means that nobody reads.
absl::Status UciProcess::Send(absl::string_view text) {
  const ssize_t sent = send(socket_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent == static_cast<ssize_t>(text.size())) return absl::OkStatus();
  return absl::UnavailableError(sent < 0 ? std::strerror(errno) : "the engine does not read its commands");
}

absl::Duration UciProcess::CpuTime() const {
  clockid_t clock;
  timespec time = {};
  if (clock_getcpuclockid(child_, &clock) == 0) clock_gettime(clock, &time);
  return absl::DurationFromTimespec(time);
}

absl::StatusOr<std::string> UciProcess::ReadLine(absl::Time deadline) {
  while (true) {
    if (const std::size_t end = unread_.find('\n'); end != std::string::npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return line;
    }
    pollfd ready = {.fd = socket_, .events = POLLIN, .revents = 0};
    const auto left = absl::ToInt64Milliseconds(deadline - absl::Now());
    if (poll(&ready, 1, static_cast<int>(std::max<std::int64_t>(left, 0))) == 0) {
      return absl::DeadlineExceededError("the engine has not answered in time");
    }
    char buffer[1 << 16];
    const ssize_t size = recv(socket_, buffer, sizeof(buffer), MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (size <= 0) return absl::UnavailableError("the engine ended");
    unread_.append(buffer, static_cast<std::size_t>(size));
  }
}

}  // namespace kibitz
