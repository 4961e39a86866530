#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "engine/board/fen.h"
#include "engine/board/pgn.h"
#include "engine/board/san.h"

namespace kibitz {
namespace {

constexpr std::size_t kLineLength = 80;

// Words with a space between them, or a line's end where the line is full.
class Wrapper {
 public:
  // Brackets cling to the words inside them.
  void Open() { opened_ += '('; }
  void Close() {
    text_ += ')';
    ++line_;
  }
  void Add(absl::string_view text) {
    const std::string word = absl::StrCat(std::exchange(opened_, ""), text);
    if (line_ > 0 && line_ + 1 + word.size() > kLineLength) {
      text_ += '\n';
      line_ = 0;
    }
    if (line_ > 0) text_ += ' ';
    line_ += word.size() + (line_ > 0 ? 1 : 0);
    absl::StrAppend(&text_, word);
  }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
  std::size_t line_ = 0;
  std::string opened_;  // brackets that wait for their first word
};

std::string TagLine(absl::string_view name, absl::string_view value) {
  return absl::StrCat("[", name, " \"", absl::StrReplaceAll(value, {{"\\", "\\\\"}, {"\"", "\\\""}, {"\n", " "}}),
                      "\"]\n");
}

std::string Tags(const PgnGame& game) {
  std::string text;
  for (const auto& [name, value] : game.tags) text += TagLine(name, value);
  const std::string fen = ToFen(game.start);
  if (fen != kStartFen && game.Tag("FEN").empty()) {
    text += TagLine("SetUp", "1") + TagLine("FEN", fen);
    if (game.start.variant() == Variant::kChess960 && game.Tag("Variant").empty())
      text += TagLine("Variant", "Chess960");
  }
  return text;
}

void AddComment(const std::string& text, Wrapper& movetext) {
  if (text.empty()) return;
  const std::string comment = absl::StrCat("{", absl::StrReplaceAll(text, {{"}", ")"}}), "}");
  for (absl::string_view word : absl::StrSplit(comment, ' ', absl::SkipEmpty())) movetext.Add(word);
}

// The brackets of a variation stand at its first and last word.
void AddLine(Position position, const PgnLine& line, Wrapper& movetext) {
  bool number_due = true;  // at the start, and after anything but a move
  for (const PgnMove& each : line) {
    AddComment(each.comment_before, movetext);
    const bool white = position.side_to_move() == Color::kWhite;
    if (white || number_due || !each.comment_before.empty()) {
      movetext.Add(absl::StrCat(position.fullmove_number(), white ? "." : "..."));
    }
    movetext.Add(ToSan(position, each.move));
    for (const int glyph : each.glyphs) movetext.Add(absl::StrCat("$", glyph));
    AddComment(each.comment, movetext);
    for (const PgnLine& variation : each.variations) {
      movetext.Open();
      AddLine(position, variation, movetext);
      movetext.Close();
    }
    number_due = !each.comment.empty() || !each.variations.empty();
    position.MakeMove(each.move);
  }
}

}  // namespace

std::string ToPgn(const PgnGame& game) {
  Wrapper movetext;
  AddLine(game.start, game.moves, movetext);
  movetext.Add(game.result);
  return absl::StrCat(Tags(game), "\n", movetext.Take(), "\n\n");
}

}  // namespace kibitz
