#include "client/cli/live_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "client/cli/console.h"

namespace kibitz::client {

LiveText::LiveText(std::FILE* stream) : stream_(stream), active_(IsTerminal(stream)) {}

void LiveText::Show(std::string_view text) {
  if (!active_) return;
  constexpr char kWipeToEnd[] = "\x1b[J";
  const std::string back = lines_ > 0 ? fmt::format("\x1b[{}A\r", lines_) : "";
  const std::string all = back + kWipeToEnd + std::string(text);
  std::fwrite(all.data(), 1, all.size(), stream_);
  std::fflush(stream_);
  lines_ = std::count(text.begin(), text.end(), '\n');
}

}  // namespace kibitz::client
