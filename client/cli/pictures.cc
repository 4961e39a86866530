#include "client/cli/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"
#include "client/cli/words.h"
#include "engine/board/board.h"
#include "engine/board/picture.h"

namespace kibitz::client {
namespace {

constexpr std::size_t kPerRow = 3;
// From one picture to the next: wide enough for the longest title.
constexpr std::size_t kStride = 27;
constexpr std::size_t kWidth = 18;  // of "8  . . . . . . . ."

struct Picture {
  std::string title;
  std::uint64_t squares;
};

// One line of a picture, with what stands on the board brought out and the empty squares held back. The rank's number
// comes first and is not part of the board.
std::string Paint(const std::string& line, const Palette& palette) {
  std::string painted = line.substr(0, 1);
  for (const char c : line.substr(1)) {
    painted += c == ' ' ? " " : fmt::format(c == '.' ? palette.faint : palette.strong, "{}", c);
  }
  return painted;
}

std::vector<std::string> PaintedLines(const std::string& picture, const Palette& palette) {
  std::vector<std::string> lines = absl::StrSplit(picture, '\n', absl::SkipEmpty());
  const std::size_t files = lines.size() - 1;  // the last line names the files
  for (std::size_t i = 0; i < files; ++i) lines[i] = Paint(lines[i], palette);
  return lines;
}

// Pictures side by side, each below its title.
std::string Row(std::span<const Picture> pictures, const Palette& palette) {
  std::string titles = "  ";
  std::vector<std::string> lines;
  for (const Picture& picture : pictures) {
    const std::string gap(lines.empty() ? 2 : kStride - kWidth, ' ');
    const std::vector<std::string> column = PaintedLines(BitboardPicture(picture.squares), palette);
    lines.resize(column.size());
    for (std::size_t i = 0; i < lines.size(); ++i) lines[i] += gap + column[i];
    titles += fmt::format("{:<{}}", "   " + picture.title, kStride);
  }
  std::string row = titles.substr(0, titles.find_last_not_of(' ') + 1) + "\n";
  for (const std::string& line : lines) row += line + "\n";
  return row;
}

std::string Section(const std::string& title, std::span<const Picture> pictures, const Palette& palette) {
  std::string section = fmt::format("\n{}\n", fmt::format(palette.heading, "{}", title));
  for (std::size_t i = 0; i < pictures.size(); i += kPerRow) {
    section += "\n" + Row(pictures.subspan(i, std::min(kPerRow, pictures.size() - i)), palette);
  }
  return section;
}

// The pieces of one side, one picture for each kind.
std::vector<Picture> PieceSets(const v1::BitboardsResponse& bitboards, v1::Color color) {
  std::vector<Picture> pictures;
  for (const auto& set : bitboards.pieces()) {
    std::string title(ToWords(set.piece()));
    title[0] = absl::ascii_toupper(title[0]);
    if (set.piece() != v1::PIECE_TYPE_KING) title += 's';
    if (set.color() == color) pictures.push_back({std::move(title), set.squares()});
  }
  return pictures;
}

std::string AllTogether(const v1::BitboardsResponse& bitboards, const Palette& palette) {
  Board board;
  board.by_color = {bitboards.white(), bitboards.black()};
  for (const auto& set : bitboards.pieces()) {
    const int type = set.piece() - v1::PIECE_TYPE_PAWN;
    if (type >= 0 && type < kNumPieceTypes) board.by_type[type] |= set.squares();
  }
  std::string section = fmt::format("\n{}\n\n", fmt::format(palette.heading, "All together"));
  for (const std::string& line : PaintedLines(BoardPicture(board), palette)) section += "  " + line + "\n";
  return section;
}

}  // namespace

std::string BitboardPictures(const v1::BitboardsResponse& bitboards, const Palette& palette) {
  std::string result = Section("White pieces", PieceSets(bitboards, v1::COLOR_WHITE), palette) +
                       Section("Black pieces", PieceSets(bitboards, v1::COLOR_BLACK), palette);
  const std::vector<Picture> occupancies{
      {"White", bitboards.white()}, {"Black", bitboards.black()}, {"All", bitboards.occupied()}};
  result += Section("Occupancies", occupancies, palette);

  std::vector<Picture> threats;
  if (bitboards.checkers() != 0) threats.push_back({"Checkers", bitboards.checkers()});
  if (bitboards.pinned() != 0) threats.push_back({"Pinned", bitboards.pinned()});
  if (!threats.empty()) result += Section("Checks and pins", threats, palette);
  return result + AllTogether(bitboards, palette);
}

std::string AttackPictures(const v1::BitboardsResponse& bitboards, const std::string& piece, const Palette& palette) {
  std::vector<Picture> pictures;
  for (const auto& attacks : bitboards.attacks()) pictures.push_back({attacks.method(), attacks.squares()});
  if (pictures.empty()) return "";
  std::string result = Section("Attacks of " + piece, pictures, palette);
  const bool agree = std::all_of(pictures.begin(), pictures.end(),
                                 [&](const Picture& picture) { return picture.squares == pictures[0].squares; });
  if (!agree) return result + "\n" + fmt::format(palette.alert, "The methods do not agree.") + "\n";
  const int squares = std::popcount(pictures[0].squares);
  return result + (pictures.size() == 1
                       ? fmt::format("\n{} squares.\n", squares)
                       : fmt::format("\n{} squares; all {} methods agree.\n", squares, pictures.size()));
}

}  // namespace kibitz::client
