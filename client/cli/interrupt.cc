#include "client/cli/interrupt.h"

#include <pthread.h>

#include <csignal>
#include <cstdlib>

#include "client/cli/exit_code.h"

namespace kibitz::client {
namespace {

sigset_t JustInterrupt() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  return set;
}

}  // namespace

Interrupt::Interrupt() {
  const sigset_t set = JustInterrupt();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  watcher_ = std::thread([this] { Watch(); });
}

Interrupt::~Interrupt() {
  leaving_ = true;
  pthread_kill(watcher_.native_handle(), SIGINT);
  watcher_.join();
  const sigset_t set = JustInterrupt();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

// A thread that waits for the signal may take locks and cancel calls, which a signal handler must not.
void Interrupt::Watch() {
  const sigset_t set = JustInterrupt();
  int signal = 0;
  while (sigwait(&set, &signal) == 0 && !leaving_) {
    if (source_.stop_requested()) std::_Exit(kExitInterrupted);
    source_.request_stop();
  }
}

}  // namespace kibitz::client
