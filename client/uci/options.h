// The values of the options that a chess GUI can set.

#ifndef KIBITZ_CLIENT_UCI_OPTIONS_H_
#define KIBITZ_CLIENT_UCI_OPTIONS_H_

#include <string>

#include "client/net/tls_options.h"

namespace kibitz::client::uci {

inline constexpr char kNet[] = "net";
inline constexpr char kClassical[] = "classical";

struct Options {
  int hash_mb = 64;
  int threads = 1;
  int multi_pv = 1;
  // For the GUI only: it tells when to ponder.
  bool ponder = false;
  int move_overhead_ms = 10;
  std::string syzygy_path{};
  // How this process evaluates positions, and a file for the net; empty: the one that Kibitz carries.
  std::string evaluation = kNet;
  std::string eval_file{};
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
  // Tells that server who calls. Setting the file reads it.
  std::string key{};
  std::string key_file{};
  // How it is called.
  TlsOptions tls{};
  bool insecure = false;

  bool IsBridge() const { return !server.empty(); }
};

}  // namespace kibitz::client::uci

#endif  // KIBITZ_CLIENT_UCI_OPTIONS_H_
