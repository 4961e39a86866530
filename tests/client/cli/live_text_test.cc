#include "client/cli/live_text.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <string>

namespace kibitz::client {
namespace {

// What a terminal of 10 columns sees.
std::string Shown(const std::function<void(LiveText&)>& draw) {
  int user = 0;
  int program = 0;
  const winsize size = {.ws_row = 5, .ws_col = 10, .ws_xpixel = 0, .ws_ypixel = 0};
  EXPECT_EQ(openpty(&user, &program, nullptr, nullptr, &size), 0);
  std::FILE* const terminal = fdopen(program, "w");
  LiveText live(terminal);
  draw(live);
  char buffer[256];
  const ssize_t length = read(user, buffer, sizeof(buffer));
  std::fclose(terminal);
  close(user);
  return std::string(buffer, static_cast<std::size_t>(length));
}

TEST(LiveTextTest, DrawsOverWhatItDrew) {
  const std::string shown = Shown([](LiveText& live) {
    live.Show("one\ntwo\n");
    live.Show("three\n");
    live.Clear();
  });
  EXPECT_EQ(shown, "\x1b[Jone\r\ntwo\r\n\x1b[2A\r\x1b[Jthree\r\n\x1b[1A\r\x1b[J");
}

TEST(LiveTextTest, CutsLinesButNoColours) {
  EXPECT_EQ(Shown([](LiveText& live) { live.Show("0123456789ab\n\x1b[1m0123456789ab\x1b[0mc\nd\n"); }),
            "\x1b[J0123456789\r\n\x1b[1m0123456789\x1b[0m\r\nd\r\n");
}

TEST(LiveTextTest, IsSilentElsewhere) {
  std::FILE* const file = std::tmpfile();
  LiveText(file).Show("one\n");
  EXPECT_EQ(std::ftell(file), 0);
  std::fclose(file);
}

}  // namespace
}  // namespace kibitz::client
