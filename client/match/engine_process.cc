#include "client/match/engine_process.h"

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
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace kibitz::client {
namespace {

// How the child starts: where, with which files, and with signals as a shell would leave them, whatever we have
// blocked.
class SpawnSettings {
 public:
  SpawnSettings(int socket, const std::string& folder) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, socket, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, socket, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigemptyset(&none);
    sigset_t all;
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnSettings() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&actions_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

}  // namespace

std::optional<std::string> FindProgram(const std::string& name) {
  if (name.empty()) return std::nullopt;
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? std::optional(name) : std::nullopt;
  const char* path = std::getenv("PATH");
  const std::string folders = absl::StrCat(path == nullptr ? "" : path, ":/usr/games");
  for (absl::string_view folder : absl::StrSplit(folders, ':', absl::SkipEmpty())) {
    std::string program = absl::StrCat(folder, "/", name);
    if (access(program.c_str(), X_OK) == 0) return program;
  }
  return std::nullopt;
}

absl::StatusOr<std::unique_ptr<EngineProcess>> EngineProcess::Start(const Command& command) {
  const std::string name = command.words.empty() ? "" : command.words.front();
  const std::optional<std::string> program = FindProgram(name);
  if (!program) return absl::NotFoundError(absl::StrCat("there is no program '", name, "'"));
  // A socket pair serves both directions, and writing to it after the child's end is an error rather than a signal.
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return absl::InternalError(absl::StrCat("socketpair: ", std::strerror(errno)));
  }
  std::vector<std::string> words = command.words;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  // The folder is entered first, so a path that is relative to ours must not be any more.
  char* const absolute = realpath(program->c_str(), nullptr);
  const SpawnSettings settings(ends[1], command.folder);
  pid_t child = 0;
  const int error = posix_spawn(&child, absolute, settings.actions(), settings.attributes(), arguments.data(), environ);
  std::free(absolute);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    return absl::NotFoundError(absl::StrCat(*program, ": ", std::strerror(error)));
  }
  return std::unique_ptr<EngineProcess>(new EngineProcess(child, ends[0]));
}

EngineProcess::~EngineProcess() {
  close(socket_);
  Kill();
  waitpid(child_, nullptr, 0);
}

void EngineProcess::Kill() { kill(-child_, SIGKILL); }

// Commands are far smaller than the socket's buffer, so one that does not fit means that nobody reads.
absl::Status EngineProcess::Send(absl::string_view commands) {
  const ssize_t sent = send(socket_, commands.data(), commands.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent == static_cast<ssize_t>(commands.size())) return absl::OkStatus();
  return absl::UnavailableError(sent < 0 && errno != EAGAIN ? "the engine ended"
                                                            : "the engine does not read its commands");
}

absl::StatusOr<std::vector<std::string>> EngineProcess::Ask(absl::string_view commands, absl::string_view last,
                                                            absl::Duration patience) {
  const auto deadline = std::chrono::steady_clock::now() + absl::ToChronoNanoseconds(patience);
  if (absl::Status status = Send(commands); !status.ok()) return status;
  std::vector<std::string> lines;
  while (true) {
    absl::StatusOr<std::string> line = ReadLine(deadline);
    if (!line.ok()) return absl::Status(line.status().code(), absl::StrCat(line.status().message(), ": ", commands));
    lines.push_back(*std::move(line));
    if (absl::StartsWith(lines.back(), last)) return lines;
  }
}

absl::Duration EngineProcess::CpuTime() const {
  clockid_t clock;
  timespec time = {};
  if (clock_getcpuclockid(child_, &clock) == 0) clock_gettime(clock, &time);
  return absl::DurationFromTimespec(time);
}

absl::StatusOr<std::string> EngineProcess::ReadLine(std::chrono::steady_clock::time_point deadline) {
  constexpr std::size_t kMaxLineLength = 1 << 20;
  while (true) {
    if (const std::size_t end = unread_.find('\n', next_line_); end != std::string::npos) {
      std::string line = unread_.substr(next_line_, end - next_line_);
      next_line_ = end + 1;
      if (!line.empty() && line.back() == '\r') line.pop_back();
      return line;
    }
    // Dropped once for many lines: an engine may have written thousands of them.
    unread_.erase(0, std::exchange(next_line_, 0));
    if (unread_.size() > kMaxLineLength) return absl::UnavailableError("the engine wrote a line without an end");
    pollfd ready = {.fd = socket_, .events = POLLIN, .revents = 0};
    // Rounded up: to be woken a moment late is better than to look around in a loop until it is time.
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    if (poll(&ready, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, INT32_MAX))) == 0) {
      return absl::DeadlineExceededError("the engine has not answered in time");
    }
    char buffer[1 << 16];
    const ssize_t size = recv(socket_, buffer, sizeof(buffer), MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (size <= 0) return absl::UnavailableError("the engine ended");
    unread_.append(buffer, static_cast<std::size_t>(size));
  }
}

}  // namespace kibitz::client
