#include "client/uci/command.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace kibitz::client::uci {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

// The words of a line, one after the other.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) { SkipBlanks(); }

  bool empty() const { return rest_.empty(); }
  std::string_view Peek() const { return rest_.substr(0, rest_.find_first_of(kBlanks)); }
  std::string_view Next() {
    const std::string_view word = Peek();
    rest_.remove_prefix(word.size());
    SkipBlanks();
    return word;
  }
  // All that is left, without the blanks around it.
  std::string_view Rest() const { return rest_.substr(0, rest_.find_last_not_of(kBlanks) + 1); }
  // The words up to `last`, which is taken too, or up to the end.
  std::vector<std::string> Until(std::string_view last) {
    std::vector<std::string> words;
    while (!empty()) {
      const std::string_view word = Next();
      if (word == last) break;
      words.emplace_back(word);
    }
    return words;
  }

 private:
  void SkipBlanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size())); }

  std::string_view rest_;
};

// Somebody's text inside a message: short, on one line, printable.
std::string Quote(std::string_view text) {
  constexpr std::size_t kMaxLength = 60;
  const std::string shown = absl::CHexEscape(std::string(text.substr(0, kMaxLength)));
  return absl::StrCat("'", shown, text.size() > kMaxLength ? "...'" : "'");
}

struct NumberWord {
  std::string_view word;
  std::optional<std::int64_t> Go::* member;
};

constexpr NumberWord kNumbers[] = {
    {"wtime", &Go::white_time},      {"btime", &Go::black_time},
    {"winc", &Go::white_increment},  {"binc", &Go::black_increment},
    {"movestogo", &Go::moves_to_go}, {"depth", &Go::depth},
    {"nodes", &Go::nodes},           {"mate", &Go::mate},
    {"movetime", &Go::movetime},     {"perft", &Go::perft},
};

const NumberWord* FindNumber(std::string_view word) {
  const auto* found =
      std::find_if(std::begin(kNumbers), std::end(kNumbers), [&](const NumberWord& each) { return each.word == word; });
  return found == std::end(kNumbers) ? nullptr : found;
}

bool IsGoWord(std::string_view word) {
  return word == "searchmoves" || word == "ponder" || word == "infinite" || FindNumber(word) != nullptr;
}

std::optional<std::int64_t> ParseNumber(std::string_view word) {
  using Numbers = std::numeric_limits<std::int64_t>;
  if (word.starts_with('+')) word.remove_prefix(1);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc::result_out_of_range) return word.starts_with('-') ? Numbers::min() : Numbers::max();
  if (error != std::errc()) return std::nullopt;
  return number;
}

void ParseGoNumber(const NumberWord& number, Words& words, Go& go) {
  if (words.empty() || IsGoWord(words.Peek())) {
    go.complaints.push_back(absl::StrCat("go: a number is missing after ", std::string(number.word)));
    return;
  }
  const std::string_view word = words.Next();
  const std::optional<std::int64_t> value = ParseNumber(word);
  if (value) {
    go.*number.member = value;
  } else {
    go.complaints.push_back(absl::StrCat("go: ", std::string(number.word), " wants a number, not ", Quote(word)));
  }
}

Go ParseGo(Words words) {
  Go go;
  while (!words.empty()) {
    const std::string_view word = words.Next();
    if (word == "searchmoves") {
      while (!words.empty() && !IsGoWord(words.Peek())) go.search_moves.emplace_back(words.Next());
    } else if (word == "ponder") {
      go.ponder = true;
    } else if (word == "infinite") {
      go.infinite = true;
    } else if (const NumberWord* number = FindNumber(word)) {
      ParseGoNumber(*number, words, go);
    } else {
      go.complaints.push_back(absl::StrCat("go: ", Quote(word), " is unknown"));
    }
  }
  return go;
}

Command ParsePosition(Words words) {
  SetPosition position;
  const std::string_view kind = words.Next();
  const std::vector<std::string> before_moves = words.Until("moves");
  if (kind == "fen" && !before_moves.empty()) {
    position.fen = absl::StrJoin(before_moves, " ");
  } else if (kind != "startpos") {
    return Malformed{"position wants startpos or fen, then moves"};
  }
  position.moves = words.Until("");
  return position;
}

Command ParseSetOption(Words words) {
  if (words.Peek() == "name") words.Next();
  const std::string name = absl::StrJoin(words.Until("value"), " ");
  if (name.empty()) return Malformed{"setoption wants a name"};
  return SetOption{name, std::string(words.Rest())};
}

// Nothing when the word is no command.
std::optional<Command> ParseFrom(std::string_view word, const Words& rest) {
  if (word == "uci") return Uci{};
  if (word == "isready") return IsReady{};
  if (word == "ucinewgame") return NewGame{};
  if (word == "setoption") return ParseSetOption(rest);
  if (word == "position") return ParsePosition(rest);
  if (word == "go") return ParseGo(rest);
  if (word == "stop") return Stop{};
  if (word == "ponderhit") return PonderHit{};
  if (word == "quit") return Quit{};
  if (word == "d") return ShowBoard{};
  if (word == "debug" || word == "register") return Nothing{};
  return std::nullopt;
}

}  // namespace

Command ParseCommand(std::string_view line) {
  Words words(line);
  if (words.empty()) return Nothing{};
  while (!words.empty()) {
    const std::string_view word = words.Next();
    if (std::optional<Command> command = ParseFrom(word, words)) return *std::move(command);
  }
  return Malformed{absl::StrCat("unknown command ", Quote(Words(line).Rest()))};
}

}  // namespace kibitz::client::uci
