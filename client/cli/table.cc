#include "client/cli/table.h"

#include <algorithm>

namespace kibitz::client {

std::vector<std::size_t> Table::Widths() const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].text.size());
  }
  return widths;
}

std::string Table::ToString() const {
  const std::vector<std::size_t> widths = Widths();
  std::string result;
  for (const auto& row : rows_) {
    // Spaces are owed until another cell follows, so that no line ends in them.
    std::size_t owed = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::size_t padding = widths[i] - row[i].text.size();
      if (columns_[i] == Align::kRight) owed += padding;
      if (!row[i].text.empty()) {
        result += std::string(owed, ' ') + fmt::format(row[i].style, "{}", row[i].text);
        owed = 0;
      }
      if (columns_[i] == Align::kLeft) owed += padding;
      owed += 2;
    }
    result += '\n';
  }
  return result;
}

}  // namespace kibitz::client
