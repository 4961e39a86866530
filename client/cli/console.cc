#include "client/cli/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace kibitz::client {
namespace {

constexpr Palette kPlain{};

bool WantsColour(std::FILE* stream) {
  const char* no_colour = std::getenv("NO_COLOR");
  const bool refused = no_colour != nullptr && *no_colour != '\0';
  return CanRedraw(stream) && !refused;
}

const Palette& Colours() {
  static const Palette palette{
      .heading = fmt::emphasis::bold | fg(fmt::terminal_color::cyan),
      .strong = fmt::emphasis::bold,
      .faint = fmt::emphasis::faint,
      .alert = fmt::emphasis::bold | fg(fmt::terminal_color::red),
  };
  return palette;
}

}  // namespace

bool IsTerminal(std::FILE* stream) { return isatty(fileno(stream)) == 1; }

bool CanRedraw(std::FILE* stream) {
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return IsTerminal(stream) && !dumb;
}

TerminalSize SizeOf(std::FILE* stream) {
  winsize size{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return {};
  return {.columns = size.ws_col, .rows = size.ws_row};
}

const Palette& PaletteOf(std::FILE* stream) { return WantsColour(stream) ? Colours() : kPlain; }

void Print(std::string_view text) {
  // A failed write is remembered by the stream; OutputIsComplete reports it once, at the end.
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void PrintError(std::string_view message, std::string_view hint) {
  const Palette& palette = PaletteOf(stderr);
  std::string text = fmt::format("{} {}\n", fmt::format(palette.alert, "error:"), message);
  if (!hint.empty()) text += fmt::format("       {}\n", hint);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

bool OutputIsComplete() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  PrintError(fmt::format("standard output could not be written: {}", std::strerror(errno)));
  return false;
}

}  // namespace kibitz::client
