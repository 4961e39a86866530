#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/board/fen.h"
#include "engine/board/pgn.h"
#include "engine/board/quote.h"
#include "engine/board/san.h"

namespace kibitz {
namespace {

bool IsResult(absl::string_view word) { return word == "1-0" || word == "0-1" || word == "1/2-1/2" || word == "*"; }

// "12.e4" and "12...e4" are "e4". Zeros of castling ("0-0") are no number.
absl::string_view WithoutNumber(absl::string_view word) {
  std::size_t digits = 0;
  while (digits < word.size() && absl::ascii_isdigit(static_cast<unsigned char>(word[digits]))) ++digits;
  if (digits == word.size()) return "";
  if (word[digits] != '.') return word;
  const std::size_t end = word.find_first_not_of('.', digits);
  return end == absl::string_view::npos ? "" : word.substr(end);
}

// The glyph of a mark such as "!?"; 0: it is none.
int GlyphOf(absl::string_view mark) {
  constexpr absl::string_view kMarks[] = {"!", "?", "!!", "??", "!?", "?!"};
  const auto found = std::find(std::begin(kMarks), std::end(kMarks), mark);
  return found == std::end(kMarks) ? 0 : static_cast<int>(found - std::begin(kMarks)) + 1;
}

// Line breaks are the writer's.
std::string OneLine(absl::string_view comment) {
  return absl::StrJoin(absl::StrSplit(comment, absl::ByAnyChar(" \t\r\n"), absl::SkipEmpty()), " ");
}

absl::StatusOr<Position> StartOf(const PgnGame& game) {
  const absl::string_view fen = game.Tag("FEN");
  if (fen.empty()) return Position();
  const absl::string_view variant = game.Tag("Variant");
  const bool chess960 = absl::EqualsIgnoreCase(variant, "Chess960") || absl::EqualsIgnoreCase(variant, "Fischerandom");
  return ParseFen(fen, chess960 ? Variant::kChess960 : Variant::kStandard);
}

}  // namespace

absl::string_view PgnGame::Tag(absl::string_view name) const {
  const auto found = std::find_if(tags.begin(), tags.end(), [&](const auto& tag) { return tag.first == name; });
  return found == tags.end() ? absl::string_view() : absl::string_view(found->second);
}

PgnReader::PgnReader(absl::string_view text) : text_(text) {
  absl::ConsumePrefix(&text_, "\xEF\xBB\xBF");  // a byte order mark
}

std::optional<PgnGame> PgnReader::NextReadable() {
  SkipSpace();
  if (AtEnd()) return std::nullopt;
  PgnGame game;
  absl::Status status = ReadTags(game);
  bool in_tags = !status.ok();
  if (status.ok()) {
    absl::StatusOr<Position> start = StartOf(game);
    if (start.ok()) {
      game.start = *std::move(start);
      status = ReadMoves(game);
    } else {
      in_tags = true;
      status = Error(start.status().message());
    }
  }
  if (status.ok()) return game;
  const absl::string_view before = text_.substr(0, error_place_);
  const std::size_t line_start = before.rfind('\n') == absl::string_view::npos ? 0 : before.rfind('\n') + 1;
  game.defect = PgnDefect{.line = static_cast<int>(1 + std::count(before.begin(), before.end(), '\n')),
                          .column = static_cast<int>(1 + error_place_ - line_start),
                          .ply = in_tags ? 0 : static_cast<int>(game.moves.size()) + 1,
                          .what = std::string(status.message())};
  if (in_tags) {
    SkipToNextTags();
  } else {
    SkipToEndOfGame();
  }
  return game;
}

absl::StatusOr<std::optional<PgnGame>> PgnReader::Next() {
  std::optional<PgnGame> game = NextReadable();
  if (!game.has_value() || !game->defect.has_value()) return game;
  return absl::InvalidArgumentError(absl::StrCat("line ", game->defect->line, ": ", game->defect->what));
}

absl::Status PgnReader::ReadTags(PgnGame& game) {
  for (SkipSpace(); !AtEnd() && Here() == '['; SkipSpace()) {
    ++place_;
    SkipSpace();
    const std::string name(ReadWord());
    if (name.empty()) return Error("a tag has no name");
    SkipSpace();
    if (AtEnd() || Here() != '"') return Error(absl::StrCat("the tag ", Quote(name), " has no value in quotes"));
    ++place_;
    std::string value;
    while (!AtEnd() && Here() != '"' && Here() != '\n') {
      if (Here() == '\\' && place_ + 1 < text_.size() && text_[place_ + 1] != '\n') ++place_;
      value += text_[place_++];
    }
    if (AtEnd() || Here() != '"') return Error(absl::StrCat("the value of the tag ", Quote(name), " does not end"));
    ++place_;
    SkipSpace();
    if (AtEnd() || Here() != ']') return Error(absl::StrCat("the tag ", Quote(name), " does not end"));
    ++place_;
    game.tags.emplace_back(name, std::move(value));
  }
  return absl::OkStatus();
}

absl::Status PgnReader::ReadMoves(PgnGame& game) {
  Cursor cursor{game.moves, game.start};
  while (true) {
    SkipSpace(/*keep_comments=*/true);
    if (AtEnd() || Here() == '[') break;  // a game without its result at the end
    const absl::StatusOr<bool> over = ReadItem(game, cursor);
    if (!over.ok()) return over.status();
    if (*over) return absl::OkStatus();
  }
  if (const absl::string_view result = game.Tag("Result"); IsResult(result)) game.result = std::string(result);
  return absl::OkStatus();
}

absl::StatusOr<bool> PgnReader::ReadItem(PgnGame& game, Cursor& cursor) {
  if (Here() == '{') {
    const absl::StatusOr<std::string> comment = ReadComment();
    if (!comment.ok()) return comment.status();
    AddComment(cursor, *comment);
    return false;
  }
  if (Here() == ';') {
    AddComment(cursor, ReadLineComment());
    return false;
  }
  if (Here() == '(') {
    if (absl::Status status = ReadVariation(cursor, 1); !status.ok()) return status;
    return false;
  }
  if (Here() == ')' || Here() == '}' || Here() == ']') return Error("a bracket closes that was not opened");
  if (Here() == '[') return Error("a tag stands among the moves");
  if (Here() == '"') return Error("a quotation mark stands outside of the tags");
  const std::size_t start = place_;
  const bool glyph = Here() == '$';
  if (glyph) ++place_;
  const absl::string_view word = ReadWord();
  if (glyph) {
    int number = 0;
    if (absl::SimpleAtoi(word, &number) && number > 0 && number < 256 && !cursor.line.empty()) {
      cursor.line.back().glyphs.push_back(number);
    }
    return false;
  }
  if (IsResult(word)) {
    game.result = std::string(word);
    return true;
  }
  if (absl::Status status = ReadMove(cursor, word); !status.ok()) return ErrorAt(start, status.message());
  return false;
}

void PgnReader::AddComment(Cursor& cursor, const std::string& comment) const {
  std::string& to = cursor.line.empty() ? cursor.comment : cursor.line.back().comment;
  absl::StrAppend(&to, to.empty() || comment.empty() ? "" : " ", comment);
}

absl::Status PgnReader::ReadMove(Cursor& cursor, absl::string_view word) {
  const absl::string_view san = WithoutNumber(word);
  const std::size_t marks = san.find_last_not_of("!?.") + 1;  // 0: there is nothing else
  const int glyph = GlyphOf(san.substr(marks));
  if (marks > 0) {
    const absl::StatusOr<Move> move = ParseSan(cursor.position, san);
    if (!move.ok()) return move.status();
    cursor.line.push_back({.move = *move, .comment = "", .comment_before = std::exchange(cursor.comment, "")});
    cursor.position.MakeMove(*move);
  }
  if (glyph != 0 && !cursor.line.empty()) cursor.line.back().glyphs.push_back(glyph);
  return absl::OkStatus();
}

absl::StatusOr<std::string> PgnReader::ReadComment() {
  const std::size_t end = text_.find('}', place_);
  if (end == absl::string_view::npos) return Error("a comment does not end");
  const absl::string_view comment = text_.substr(place_ + 1, end - place_ - 1);
  place_ = end + 1;
  return OneLine(comment);
}

std::string PgnReader::ReadLineComment() {
  const std::size_t start = place_ + 1;
  SkipLine();
  // It is written in braces.
  return OneLine(absl::StrReplaceAll(text_.substr(start, place_ - start), {{"}", ")"}}));
}

absl::Status PgnReader::ReadVariation(const Cursor& around, int depth) {
  constexpr int kMaxDepth = 32;
  // Instead of which move, and from where; what stands before the first move has no place.
  if (around.line.empty() || depth > kMaxDepth) return SkipVariation();
  PgnLine variation;
  Cursor cursor{variation, around.position};
  cursor.position.UnmakeMove(around.line.back().move);
  ++place_;
  while (true) {
    SkipSpace(/*keep_comments=*/true);
    if (AtEnd()) return Error("a variation does not end");
    if (Here() == ')') break;
    if (Here() == '(') {
      if (absl::Status status = ReadVariation(cursor, depth + 1); !status.ok()) return status;
      continue;
    }
    PgnGame ignored;
    const absl::StatusOr<bool> over = ReadItem(ignored, cursor);
    if (over.ok()) continue;
    // The game goes on whatever stands in a variation: its good moves are kept.
    if (absl::Status status = SkipToClosing(); !status.ok()) return status;
    break;
  }
  ++place_;
  if (!variation.empty()) around.line.back().variations.push_back(std::move(variation));
  return absl::OkStatus();
}

absl::Status PgnReader::SkipVariation() {
  ++place_;
  if (absl::Status status = SkipToClosing(); !status.ok()) return status;
  ++place_;
  return absl::OkStatus();
}

absl::Status PgnReader::SkipToClosing() {
  for (int depth = 0;; ++place_) {
    if (AtEnd()) return Error("a variation does not end");
    if (Here() == '{') {
      if (const auto comment = ReadComment(); !comment.ok()) return comment.status();
      --place_;
    } else if (Here() == ';') {
      SkipLine();
      if (AtEnd()) continue;
    } else if (Here() == '(') {
      ++depth;
    } else if (Here() == ')' && depth-- == 0) {
      return absl::OkStatus();
    }
  }
}

// Space, comments to the end of the line, and lines that begin with a percent sign, which are not for us.
void PgnReader::SkipSpace(bool keep_comments) {
  while (!AtEnd()) {
    const bool line_begins = place_ == 0 || text_[place_ - 1] == '\n';
    if ((Here() == ';' && !keep_comments) || (Here() == '%' && line_begins)) {
      SkipLine();
    } else if (absl::ascii_isspace(static_cast<unsigned char>(Here()))) {
      ++place_;
    } else {
      return;
    }
  }
}

void PgnReader::SkipLine() { place_ = std::min(text_.size(), text_.find('\n', place_)); }

void PgnReader::SkipToEndOfGame() {
  while (!AtEnd()) {
    SkipSpace();
    if (AtEnd() || (Here() == '[' && text_[place_ - 1] == '\n')) return;
    if (Here() == '{') {
      if (!ReadComment().ok()) place_ = text_.size();
    } else if (Here() == '(') {
      if (!SkipVariation().ok()) place_ = text_.size();
    } else if (const absl::string_view word = ReadWord(); IsResult(word)) {
      return;
    } else if (word.empty()) {
      ++place_;
    }
  }
}

void PgnReader::SkipToNextTags() {
  // The error stands in the tags of the bad game: the next game's come after moves.
  bool moves_seen = false;
  while (!AtEnd()) {
    SkipLine();
    SkipSpace();
    if (AtEnd()) return;
    if (Here() == '[' && moves_seen) return;
    moves_seen = moves_seen || Here() != '[';
  }
}

absl::string_view PgnReader::ReadWord() {
  const std::size_t end = std::min(text_.size(), text_.find_first_of(" \t\r\n\v\f{}()[];$\"", place_));
  const absl::string_view word = text_.substr(place_, end - place_);
  place_ = end;
  return word;
}

absl::Status PgnReader::ErrorAt(std::size_t place, absl::string_view what) {
  error_place_ = std::min(place, text_.size());
  return absl::InvalidArgumentError(what);
}

}  // namespace kibitz
