#include "client/cli/live_text.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace kibitz::client {
namespace {

TEST(LiveTextTest, DrawsOverWhatItDrew) {
  int user = 0;
  int program = 0;
  ASSERT_EQ(openpty(&user, &program, nullptr, nullptr, nullptr), 0);
  std::FILE* const terminal = fdopen(program, "w");
  LiveText live(terminal);
  live.Show("one\ntwo\n");
  live.Show("three\n");
  live.Clear();
  char buffer[256];
  const ssize_t size = read(user, buffer, sizeof(buffer));
  EXPECT_EQ(std::string(buffer, static_cast<std::size_t>(size)),
            "\x1b[Jone\r\ntwo\r\n\x1b[2A\r\x1b[Jthree\r\n\x1b[1A\r\x1b[J");
  std::fclose(terminal);
  close(user);
}

TEST(LiveTextTest, IsSilentElsewhere) {
  std::FILE* const file = std::tmpfile();
  LiveText(file).Show("one\n");
  EXPECT_EQ(std::ftell(file), 0);
  std::fclose(file);
}

}  // namespace
}  // namespace kibitz::client
