#include "server/jobs/crash_note.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>

namespace kibitz::server {
namespace {

constexpr std::array<int, 5> kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// What a signal's handler may use. The file stays open for as long as the process.
std::atomic<int> note{-1};
std::array<struct sigaction, kSignals.size()> before;

void WriteNote(int signal) {
  static constexpr char kText[] = "crashed\n";
  // Nothing can be done if it fails.
  [[maybe_unused]] const ssize_t written = write(note, kText, sizeof(kText) - 1);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    if (kSignals[i] == signal) sigaction(signal, &before[i], nullptr);
  }
  // Comes once this has returned, and does what it would have done.
  raise(signal);
}

void HandleSignals() {
  struct sigaction action{};
  action.sa_handler = WriteNote;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &action, &before[i]);
}

}  // namespace

bool NoteCrashes(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return false;
  struct stat there{};
  const bool crashed = fstat(file, &there) == 0 && there.st_size > 0;
  [[maybe_unused]] const int emptied = ftruncate(file, 0);
  const int last = note.exchange(file);
  if (last < 0) {
    HandleSignals();
  } else {
    close(last);
  }
  return crashed;
}

}  // namespace kibitz::server
