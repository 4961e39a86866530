#include "client/cli/pgn_stream.h"

#include <cctype>
#include <utility>

namespace kibitz::client {
namespace {

bool IsResult(const std::string& word) { return word == "1-0" || word == "0-1" || word == "1/2-1/2" || word == "*"; }

// How many bytes the character at this place takes in UTF-8; 0: it is none.
std::size_t CharacterSize(const std::string& text, std::size_t place) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(place);
  const std::size_t size = first < 0x80                    ? 1
                           : first >= 0xC2 && first < 0xE0 ? 2
                           : first >= 0xE0 && first < 0xF0 ? 3
                           : first >= 0xF0 && first < 0xF5 ? 4
                                                           : 0;
  if (size == 0 || place + size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if (byte(place + i) >> 6 != 2) return 0;
  }
  // Written too long, or half of a pair of another encoding, or beyond the last character.
  const unsigned char second = size > 1 ? byte(place + 1) : 0;
  const bool bad = (first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) ||
                   (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90);
  return bad ? 0 : size;
}

std::string ToUtf8(const std::string& text) {
  bool good = true;
  for (std::size_t i = 0; good && i < text.size();) {
    const std::size_t size = CharacterSize(text, i);
    good = size > 0;
    i += size;
  }
  if (good) return text;
  std::string converted;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      converted += c;
    } else {
      converted += static_cast<char>(0xC0 | byte >> 6);
      converted += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return converted;
}

}  // namespace

bool PgnStream::EndsBefore(char c) const {
  return c == '[' && place_ == Place::kMoves && moves_seen_ && (text_.empty() || text_.back() == '\n');
}

bool PgnStream::Take(char c) {
  text_ += c;
  const bool line_begins = text_.size() == 1 || text_[text_.size() - 2] == '\n';
  switch (place_) {
    case Place::kTag:
      if (c == '"') place_ = Place::kTagValue;
      if (c == ']' || c == '\n') place_ = Place::kBetween;
      return false;
    case Place::kTagValue:
      if (c == '\n' || (c == '"' && text_[text_.size() - 2] != '\\')) place_ = Place::kTag;
      if (c == '\n') place_ = Place::kBetween;
      return false;
    case Place::kComment:
      if (c == '}') place_ = Place::kMoves;
      return false;
    case Place::kLineComment:
      if (c == '\n') place_ = moves_seen_ ? Place::kMoves : Place::kBetween;
      return false;
    case Place::kBetween:
    case Place::kMoves:
      break;
  }
  const bool word_ends =
      std::isspace(static_cast<unsigned char>(c)) != 0 || c == '{' || c == '(' || c == ')' || c == ';';
  if (!word_ends && c != '[') {
    if (c == '%' && line_begins) {
      place_ = Place::kLineComment;
      return false;
    }
    word_ += c;
    moves_seen_ = true;
    place_ = Place::kMoves;
    return false;
  }
  const std::string word = std::exchange(word_, "");
  if (IsResult(word) && variations_ == 0) return true;
  if (c == '[' && place_ == Place::kBetween) place_ = Place::kTag;
  if (c == '{') {
    moves_seen_ = true;
    place_ = Place::kComment;
  }
  if (c == ';') place_ = Place::kLineComment;
  if (c == '(') ++variations_;
  if (c == ')' && variations_ > 0) --variations_;
  return false;
}

bool PgnStream::Next(std::string& game) {
  text_.clear();
  word_.clear();
  place_ = Place::kBetween;
  moves_seen_ = false;
  variations_ = 0;
  bool something = false;
  for (int next = input_.peek(); next != std::istream::traits_type::eof(); next = input_.peek()) {
    const char c = static_cast<char>(next);
    if (EndsBefore(c) || text_.size() >= kMaxGameBytes) break;
    input_.get();
    ++bytes_;
    if (c == '\n') ++line_;
    const bool over = Take(c);
    if (!something && std::isspace(next) == 0) {
      something = true;
      game_line_ = line_;
      text_.erase(0, text_.size() - 1);
    }
    if (over) break;
  }
  if (!something) return false;
  game = ToUtf8(text_);
  return true;
}

}  // namespace kibitz::client
