// What the program writes: data on standard output, everything else on standard error, colours on a terminal only.

#ifndef KIBITZ_CLIENT_CLI_CONSOLE_H_
#define KIBITZ_CLIENT_CLI_CONSOLE_H_

#include <fmt/color.h>

#include <cstdio>
#include <string_view>

namespace kibitz::client {

// The styles of one stream. All are plain where colours are not wanted, so that nobody else has to ask.
struct Palette {
  fmt::text_style heading{};
  fmt::text_style strong{};
  fmt::text_style faint{};
  fmt::text_style alert{};
};

bool IsTerminal(std::FILE* stream);
// Whether what was written can be wiped again: a terminal, but not a dumb one.
bool CanRedraw(std::FILE* stream);

// In characters. What cannot be told is taken for 80 by 24.
struct TerminalSize {
  int columns = 80;
  int rows = 24;
};
TerminalSize SizeOf(std::FILE* stream);

// Colours for a terminal, unless NO_COLOR is set or the terminal is a dumb one; plain otherwise.
const Palette& PaletteOf(std::FILE* stream);

// Writes to standard output at once, so that a reader at the other end of a pipe can answer.
void Print(std::string_view text);

// Writes "error: MESSAGE" to standard error, and what to do about it on a second line if there is a hint.
void PrintError(std::string_view message, std::string_view hint = "");

// Whether all that was printed has been taken; complains on standard error when it has not (a full disk).
bool OutputIsComplete();

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_CONSOLE_H_
