#include "client/cli/live_text.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <string>

#include "tests/client/cli/pseudo_terminal.h"

namespace kibitz::client {
namespace {

// What a terminal of 10 columns sees.
std::string Shown(const std::function<void(LiveText&)>& draw) {
  constexpr char kEnd[] = "<end>";
  const PseudoTerminal terminal({.ws_row = 5, .ws_col = 10, .ws_xpixel = 0, .ws_ypixel = 0});
  std::FILE* const stream = fdopen(dup(terminal.program()), "w");
  LiveText live(stream);
  draw(live);
  std::fputs(kEnd, stream);
  std::fclose(stream);
  const std::string shown = terminal.ReadUntil(kEnd);
  return shown.substr(0, shown.find(kEnd));
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
