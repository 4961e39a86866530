#include "client/cli/live_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "client/cli/console.h"

namespace kibitz::client {
namespace {

// Cuts every line to `width` characters. Escape sequences take no place and stay, so that no colour outlives its end.
std::string Cut(std::string_view text, std::size_t width) {
  std::string result;
  std::size_t column = 0;
  bool escaped = false;
  for (const char c : text) {
    if (c == '\n') column = 0;
    if (c == '\x1b') escaped = true;
    if (escaped || c == '\n' || column < width) result += c;
    if (!escaped && c != '\n') ++column;
    if (c == 'm') escaped = false;
  }
  return result;
}

}  // namespace

LiveText::LiveText(std::FILE* stream) : stream_(stream), active_(IsTerminal(stream)) {}

void LiveText::Show(std::string_view text) {
  if (!active_) return;
  constexpr char kWipeToEnd[] = "\x1b[J";
  const std::string back = lines_ > 0 ? fmt::format("\x1b[{}A\r", lines_) : "";
  const std::string all = back + kWipeToEnd + Cut(text, static_cast<std::size_t>(SizeOf(stream_).columns));
  std::fwrite(all.data(), 1, all.size(), stream_);
  std::fflush(stream_);
  lines_ = std::count(text.begin(), text.end(), '\n');
}

}  // namespace kibitz::client
