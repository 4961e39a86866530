#include "client/cli/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "tests/client/cli/pseudo_terminal.h"

namespace kibitz::client {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

// Makes standard error a terminal for as long as it lives.
class ErrorTerminal : public PseudoTerminal {
 public:
  ErrorTerminal() : saved_(dup(STDERR_FILENO)) { dup2(program(), STDERR_FILENO); }
  ~ErrorTerminal() {
    dup2(saved_, STDERR_FILENO);
    close(saved_);
  }

 private:
  int saved_;
};

TEST(ProgressTest, TellsHowFarTheCountHasComeAndWipesItsLine) {
  const ErrorTerminal terminal;
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
