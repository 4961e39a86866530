// A terminal for tests: a program writes on one side, the test reads the other as a user would.

#ifndef KIBITZ_TESTS_CLIENT_CLI_PSEUDO_TERMINAL_H_
#define KIBITZ_TESTS_CLIENT_CLI_PSEUDO_TERMINAL_H_

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <string>

namespace kibitz::client {

class PseudoTerminal {
 public:
  explicit PseudoTerminal(winsize size = {.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0}) {
    EXPECT_EQ(openpty(&user_, &program_, nullptr, nullptr, &size), 0);
  }
  ~PseudoTerminal() {
    close(program_);
    close(user_);
  }
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  // The program's side: its file descriptor.
  int program() const { return program_; }

  // Reads until `text` has come. One read gives what has come so far, which may be a part.
  std::string ReadUntil(const std::string& text) const {
    constexpr int kPatienceMs = 30'000;
    std::string shown;
    pollfd ready{.fd = user_, .events = POLLIN, .revents = 0};
    while (shown.find(text) == std::string::npos && poll(&ready, 1, kPatienceMs) == 1) {
      char buffer[4096];
      const ssize_t size = read(user_, buffer, sizeof buffer);
      if (size <= 0) break;
      shown.append(buffer, static_cast<std::size_t>(size));
    }
    return shown;
  }

 private:
  int user_ = -1;
  int program_ = -1;
};

}  // namespace kibitz::client

#endif  // KIBITZ_TESTS_CLIENT_CLI_PSEUDO_TERMINAL_H_
