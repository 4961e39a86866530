// Text that is shown again and again in the same place.

#ifndef KIBITZ_CLIENT_CLI_LIVE_TEXT_H_
#define KIBITZ_CLIENT_CLI_LIVE_TEXT_H_

#include <cstdio>
#include <string_view>

namespace kibitz::client {

// Draws on a terminal over what it drew before. For other streams it does nothing.
class LiveText {
 public:
  explicit LiveText(std::FILE* stream);

  // `text` is whole lines. What is too long for the terminal is cut off.
  void Show(std::string_view text);
  // Wipes what is shown.
  void Clear() { Show(""); }

 private:
  std::FILE* stream_;
  bool active_;
  long lines_ = 0;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_LIVE_TEXT_H_
