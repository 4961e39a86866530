// What a chess GUI says: one line of the Universal Chess Interface, taken apart. Knows no chess.

#ifndef KIBITZ_CLIENT_UCI_COMMAND_H_
#define KIBITZ_CLIENT_UCI_COMMAND_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kibitz::client::uci {

struct Uci {};
struct IsReady {};
struct NewGame {};
struct Stop {};
struct PonderHit {};
struct Quit {};
// "d": not in the protocol, but people type it.
struct ShowBoard {};
// An empty line, or one that asks for nothing this engine has: debug, register.
struct Nothing {};

struct SetOption {
  std::string name;
  // What follows "value", blanks inside kept. Empty when there is none.
  std::string value;
};

struct SetPosition {
  std::string fen;  // empty: the starting position
  std::vector<std::string> moves;
};

// Times are in milliseconds, as the GUI gave them: they may be negative.
struct Go {
  std::vector<std::string> search_moves;
  bool ponder = false;
  bool infinite = false;
  std::optional<std::int64_t> white_time;
  std::optional<std::int64_t> black_time;
  std::optional<std::int64_t> white_increment;
  std::optional<std::int64_t> black_increment;
  std::optional<std::int64_t> moves_to_go;
  std::optional<std::int64_t> depth;
  std::optional<std::int64_t> nodes;
  std::optional<std::int64_t> mate;
  std::optional<std::int64_t> movetime;
  // Not in the protocol: count move paths instead of searching.
  std::optional<std::int64_t> perft;
  // What was not understood. The rest still holds.
  std::vector<std::string> complaints;
};

// A line that cannot be obeyed, and why.
struct Malformed {
  std::string complaint;
};

using Command = std::variant<Nothing, Uci, IsReady, NewGame, Stop, PonderHit, Quit, ShowBoard, SetOption, SetPosition,
                             Go, Malformed>;

// Reads a line, whatever is in it. Words before the first known command are skipped, as the protocol asks. Numbers that
// are too large are the largest; a number with something behind it is the number.
Command ParseCommand(std::string_view line);

}  // namespace kibitz::client::uci

#endif  // KIBITZ_CLIENT_UCI_COMMAND_H_
