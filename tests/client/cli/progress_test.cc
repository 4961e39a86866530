#include "client/cli/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace kibitz::client {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

constexpr int kPatienceMs = 30'000;

// Makes standard error a terminal for as long as it lives, and reads what is written there.
class Terminal {
 public:
  Terminal() : saved_(dup(STDERR_FILENO)) {
    int theirs = -1;
    EXPECT_EQ(openpty(&ours_, &theirs, nullptr, nullptr, nullptr), 0);
    dup2(theirs, STDERR_FILENO);
    close(theirs);
  }
  ~Terminal() {
    dup2(saved_, STDERR_FILENO);
    close(saved_);
    close(ours_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // Reads until `text` has come, or nothing more comes.
  std::string ReadUntil(const std::string& text) const {
    std::string read_text;
    pollfd ready{.fd = ours_, .events = POLLIN, .revents = 0};
    while (read_text.find(text) == std::string::npos && poll(&ready, 1, kPatienceMs) == 1) {
      char buffer[4096];
      const ssize_t size = read(ours_, buffer, sizeof buffer);
      if (size <= 0) break;
      read_text.append(buffer, size);
    }
    return read_text;
  }

 private:
  int ours_ = -1;
  int saved_;
};

TEST(ProgressTest, TellsHowFarTheCountHasComeAndWipesItsLine) {
  const Terminal terminal;
  {
    Progress progress(20);
    progress.Add(1000);
    progress.Add(234);
    EXPECT_THAT(terminal.ReadUntil("2 of 20 moves, 1,234 nodes, "), HasSubstr("2 of 20 moves, 1,234 nodes, "));
  }
  std::fputs("end", stderr);
  EXPECT_THAT(terminal.ReadUntil("end"), EndsWith("\r\x1b[Kend"));
}

}  // namespace
}  // namespace kibitz::client
