#include "tests/integration/server_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

extern char** environ;

namespace kibitz::integration {
namespace {

constexpr std::chrono::seconds kStartPatience{30};

struct Pipe {
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe2");
  }
  int ends[2];
};

// Waits until there is something to read, or the other end is closed. False when the time is over.
bool WaitForInput(int fd, std::chrono::milliseconds patience) {
  pollfd poll_fd{fd, POLLIN, 0};
  return poll(&poll_fd, 1, static_cast<int>(patience.count())) > 0;
}

// The first line, without its end. What there is when the writer closes or the time is over.
std::string ReadLine(int fd, std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  std::string line;
  char c;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0 || !WaitForInput(fd, left)) return line;
    if (read(fd, &c, 1) != 1 || c == '\n') return line;
    line += c;
  }
}

}  // namespace

ServerProcess::ServerProcess(const std::string& program, const std::vector<std::string>& arguments) {
  const Pipe out;
  const Pipe err;
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], STDERR_FILENO);
  const int error = posix_spawn(&pid_, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(out.ends[1]);
  close(err.ends[1]);
  stdout_ = out.ends[0];
  stderr_ = err.ends[0];
  if (error != 0) throw std::system_error(error, std::generic_category(), program);

  constexpr char kAnnouncement[] = "listening on ";
  const std::string line = ReadLine(stdout_, kStartPatience);
  if (line.starts_with(kAnnouncement)) address_ = line.substr(sizeof(kAnnouncement) - 1);
}

ServerProcess::~ServerProcess() {
  if (!exit_code_.has_value()) {
    Signal(SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  close(stdout_);
  close(stderr_);
}

void ServerProcess::Signal(int signal) const { kill(pid_, signal); }

std::optional<int> ServerProcess::WaitForExit(std::chrono::milliseconds patience) {
  if (exit_code_.has_value()) return exit_code_;
  const int process = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  const bool ended = WaitForInput(process, patience);
  close(process);
  if (!ended) return std::nullopt;
  int status = 0;
  waitpid(pid_, &status, 0);
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return exit_code_;
}

std::string ServerProcess::ReadStandardError() {
  std::string text;
  char buffer[4096];
  for (ssize_t size; (size = read(stderr_, buffer, sizeof(buffer))) > 0;) text.append(buffer, size);
  return text;
}

}  // namespace kibitz::integration
