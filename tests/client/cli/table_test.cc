#include "client/cli/table.h"

#include <gtest/gtest.h>

namespace kibitz::client {
namespace {

using Align = Table::Align;

TEST(TableTest, IsEmptyWithoutRows) { EXPECT_EQ(Table({Align::kLeft}).ToString(), ""); }

TEST(TableTest, MakesColumnsAsWideAsTheirWidestCell) {
  Table table({Align::kLeft, Align::kLeft});
  table.AddRow({{"a"}, {"b"}});
  table.AddRow({{"long"}, {"c"}});
  EXPECT_EQ(table.ToString(), "a     b\nlong  c\n");
}

TEST(TableTest, AlignsNumbersToTheRight) {
  Table table({Align::kLeft, Align::kRight});
  table.AddRow({{"e4"}, {"9"}});
  table.AddRow({{"Nf3"}, {"1,000"}});
  EXPECT_EQ(table.ToString(), "e4       9\nNf3  1,000\n");
}

TEST(TableTest, LeavesNoSpacesAtTheEndOfALine) {
  Table table({Align::kLeft, Align::kRight, Align::kLeft});
  table.AddRow({{"a"}, {""}, {""}});
  table.AddRow({{"b"}});
  table.AddRow({{"wide"}, {"12"}, {"x"}});
  EXPECT_EQ(table.ToString(), "a\nb\nwide  12  x\n");
}

TEST(TableTest, SkipsEmptyCellsInTheMiddle) {
  Table table({Align::kLeft, Align::kRight, Align::kLeft});
  table.AddRow({{"a"}, {""}, {"c"}});
  table.AddRow({{"wide"}, {"12"}, {"x"}});
  EXPECT_EQ(table.ToString(), "a         c\nwide  12  x\n");
}

TEST(TableTest, DoesNotCountColoursAsWidth) {
  Table table({Align::kLeft, Align::kLeft});
  table.AddRow({{"a", fmt::emphasis::bold}, {"b"}});
  table.AddRow({{"wide"}, {"c"}});
  EXPECT_EQ(table.ToString(), "\x1b[1ma\x1b[0m     b\nwide  c\n");
}

}  // namespace
}  // namespace kibitz::client
