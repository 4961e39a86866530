#include "client/cli/top_screen.h"

#include <langinfo.h>
#include <ncurses.h>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace kibitz::client {
namespace {

constexpr short kAlertColor = 1;

bool WantsColor() {
  const char* const no_color = std::getenv("NO_COLOR");
  return (no_color == nullptr || *no_color == '\0') && has_colors();
}

// The first characters of a text in UTF-8.
std::string_view FirstCharacters(std::string_view text, int count) {
  std::size_t end = 0;
  for (int i = 0; i < count && end < text.size(); ++i) {
    do ++end;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80);
  }
  return text.substr(0, end);
}

}  // namespace

TopScreen::TopScreen() {
  std::setlocale(LC_CTYPE, "");
  blocks_ = std::string_view(nl_langinfo(CODESET)) == "UTF-8";
  // Unlike initscr it does not end the program over a terminal that it does not know.
  ok_ = newterm(nullptr, stdout, stdin) != nullptr;
  if (!ok_) return;
  cbreak();
  noecho();
  curs_set(0);
  keypad(stdscr, TRUE);
  if (WantsColor()) {
    start_color();
    use_default_colors();
    init_pair(kAlertColor, COLOR_RED, -1);
  }
}

TopScreen::~TopScreen() {
  if (ok_) endwin();
}

void TopScreen::Show(const std::vector<TopLine>& lines, const std::string& bottom) {
  erase();
  const int last = std::max(0, LINES - 1);
  for (int row = 0; row < last && row < static_cast<int>(lines.size()); ++row) Draw(row, lines[row]);
  Draw(last, {bottom, TopLine::Style::kHeading});
  refresh();
}

void TopScreen::Draw(int row, const TopLine& line) {
  const attr_t style = line.style == TopLine::Style::kHeading ? A_BOLD
                       : line.style == TopLine::Style::kAlert ? A_BOLD | COLOR_PAIR(kAlertColor)
                                                              : A_NORMAL;
  attron(style);
  const std::string_view shown = FirstCharacters(line.text, COLS);
  mvaddnstr(row, 0, shown.data(), static_cast<int>(shown.size()));
  attroff(style);
}

std::optional<int> TopScreen::AwaitKey(std::chrono::milliseconds patience) {
  timeout(static_cast<int>(patience.count()));
  const int key = getch();
  if (key == ERR || key == KEY_RESIZE) return std::nullopt;
  return key;
}

}  // namespace kibitz::client
