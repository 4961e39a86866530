// A screenful of text and the keys pressed meanwhile, by ncurses.

#ifndef KIBITZ_CLIENT_CLI_TOP_SCREEN_H_
#define KIBITZ_CLIENT_CLI_TOP_SCREEN_H_

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "client/cli/top_text.h"

namespace kibitz::client {

// Has the terminal for itself while it lives, and gives it back as it was. One at a time, used by one thread.
class TopScreen {
 public:
  TopScreen();
  ~TopScreen();
  TopScreen(const TopScreen&) = delete;
  TopScreen& operator=(const TopScreen&) = delete;

  // Whether the terminal can be drawn upon. Nothing else may be called if not.
  bool ok() const { return ok_; }
  // Whether it can draw block characters.
  bool blocks() const { return blocks_; }

  // Draws the lines, cut to the terminal's size, and the last of all at its bottom.
  void Show(const std::vector<TopLine>& lines, const std::string& bottom);

  // The next key, if one is pressed by then. A changed size of the terminal ends the wait too.
  std::optional<int> AwaitKey(std::chrono::milliseconds patience);

 private:
  void Draw(int row, const TopLine& line);

  bool ok_ = false;
  bool blocks_ = false;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_TOP_SCREEN_H_
