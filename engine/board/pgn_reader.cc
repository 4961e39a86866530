#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
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

absl::StatusOr<std::optional<PgnGame>> PgnReader::Next() {
  SkipSpace();
  if (AtEnd()) return std::nullopt;
  PgnGame game;
  absl::Status status = ReadTags(game);
  if (status.ok()) {
    absl::StatusOr<Position> start = StartOf(game);
    if (start.ok()) {
      game.start = *std::move(start);
      status = ReadMoves(game);
    } else {
      status = Error(start.status().message());
    }
  }
  if (status.ok()) return game;
  SkipToNextTags();
  return status;
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
  Position position = game.start;
  while (true) {
    SkipSpace();
    if (AtEnd() || Here() == '[') break;  // a game without its result at the end
    const absl::StatusOr<bool> over = ReadItem(game, position);
    if (!over.ok()) return over.status();
    if (*over) return absl::OkStatus();
  }
  if (const absl::string_view result = game.Tag("Result"); IsResult(result)) game.result = std::string(result);
  return absl::OkStatus();
}

absl::StatusOr<bool> PgnReader::ReadItem(PgnGame& game, Position& position) {
  if (Here() == '{') {
    absl::StatusOr<std::string> comment = ReadComment();
    if (!comment.ok()) return comment.status();
    if (!game.moves.empty()) game.moves.back().comment = *std::move(comment);
    return false;
  }
  if (Here() == '(') {
    if (absl::Status status = SkipVariation(); !status.ok()) return status;
    return false;
  }
  if (Here() == ')' || Here() == '}' || Here() == ']') return Error("a bracket closes that was not opened");
  if (Here() == '"') return Error("a quotation mark stands outside of the tags");
  if (Here() == '$') ++place_;  // a glyph: its number is skipped as any other
  const absl::string_view word = ReadWord();
  if (IsResult(word)) {
    game.result = std::string(word);
    return true;
  }
  const absl::string_view san = WithoutNumber(word);
  if (san.find_first_not_of("!?.") == absl::string_view::npos) return false;  // a number or a mark alone
  const absl::StatusOr<Move> move = ParseSan(position, san);
  if (!move.ok()) return Error(move.status().message());
  game.moves.push_back({.move = *move, .comment = ""});
  position.MakeMove(*move);
  return false;
}

absl::StatusOr<std::string> PgnReader::ReadComment() {
  const std::size_t end = text_.find('}', place_);
  if (end == absl::string_view::npos) return Error("a comment does not end");
  const absl::string_view comment = text_.substr(place_ + 1, end - place_ - 1);
  place_ = end + 1;
  // Line breaks are the writer's.
  return absl::StrJoin(absl::StrSplit(comment, absl::ByAnyChar(" \t\r\n"), absl::SkipEmpty()), " ");
}

absl::Status PgnReader::SkipVariation() {
  int depth = 0;
  do {
    if (AtEnd()) return Error("a variation does not end");
    if (Here() == '{') {
      if (const auto comment = ReadComment(); !comment.ok()) return comment.status();
      continue;
    }
    if (Here() == ';') {
      SkipLine();
      continue;
    }
    if (Here() == '(') ++depth;
    if (Here() == ')') --depth;
    ++place_;
  } while (depth > 0);
  return absl::OkStatus();
}

// Space, comments to the end of the line, and lines that begin with a percent sign, which are not for us.
void PgnReader::SkipSpace() {
  while (!AtEnd()) {
    const bool line_begins = place_ == 0 || text_[place_ - 1] == '\n';
    if (Here() == ';' || (Here() == '%' && line_begins)) {
      SkipLine();
    } else if (absl::ascii_isspace(static_cast<unsigned char>(Here()))) {
      ++place_;
    } else {
      return;
    }
  }
}

void PgnReader::SkipLine() { place_ = std::min(text_.size(), text_.find('\n', place_)); }

void PgnReader::SkipToNextTags() {
  // The error may stand in the tags of the bad game: the next game's come after moves, that is after an empty line.
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

absl::Status PgnReader::Error(absl::string_view what) const {
  const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(place_), '\n');
  return absl::InvalidArgumentError(absl::StrCat("line ", line, ": ", what));
}

}  // namespace kibitz
