// Columns of text, each as wide as its widest cell.

#ifndef KIBITZ_CLIENT_CLI_TABLE_H_
#define KIBITZ_CLIENT_CLI_TABLE_H_

#include <fmt/color.h>

#include <string>
#include <vector>

namespace kibitz::client {

struct Cell {
  std::string text;  // ASCII: a character is a column
  fmt::text_style style{};
};

class Table {
 public:
  enum class Align { kLeft, kRight };

  explicit Table(std::vector<Align> columns) : columns_(std::move(columns)) {}

  // Missing cells at the end of a row are left empty. At most as many cells as columns.
  void AddRow(std::vector<Cell> cells) { rows_.push_back(std::move(cells)); }

  // One line for each row, two spaces between columns, no spaces at the end of a line.
  std::string ToString() const;

 private:
  std::vector<std::size_t> Widths() const;

  std::vector<Align> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_TABLE_H_
