// The options that a chess GUI can set.

#ifndef KIBITZ_CLIENT_UCI_OPTIONS_H_
#define KIBITZ_CLIENT_UCI_OPTIONS_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kibitz::client::uci {

struct Options {
  int hash_mb = 64;
  int threads = 1;
  int multi_pv = 1;
  // For the GUI only: it tells when to ponder.
  bool ponder = false;
  int move_overhead_ms = 10;
  std::string syzygy_path{};
  // Whether to play from the book while it knows the position.
  bool own_book = false;
  std::string book_file{};
  bool chess960 = false;
  bool show_wdl = false;
  // No book and no limit on strength: the user wants to know.
  bool analyse_mode = false;
  bool limit_strength = false;
  int elo = 1500;
  // HOST:PORT of the server that searches. Empty: this process does.
  std::string server{};
  // Tells that server who calls.
  std::string key{};
};

// Names of options that are more than a value to remember.
inline constexpr char kHash[] = "Hash";
inline constexpr char kThreads[] = "Threads";
inline constexpr char kClearHash[] = "Clear Hash";
inline constexpr char kSyzygyPath[] = "SyzygyPath";
inline constexpr char kBookFile[] = "Book File";
inline constexpr char kChess960[] = "UCI_Chess960";

// The "option" lines of the answer to "uci". The defaults are those of `options`; the key is not shown.
std::string DeclareOptions(const Options& options);

// Sets an option, named in any case, and returns its name as declared. A refusal says why and changes nothing.
absl::StatusOr<std::string> SetOptionValue(Options& options, const std::string& name, const std::string& value);

}  // namespace kibitz::client::uci

#endif  // KIBITZ_CLIENT_UCI_OPTIONS_H_
