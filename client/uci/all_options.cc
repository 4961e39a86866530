#include "client/uci/all_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "client/key.h"

namespace kibitz::client::uci {
namespace {

// A table larger than the machine's memory would end the program when it is filled.
int MaxHashMb() {
  const std::int64_t memory = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  return static_cast<int>(std::clamp<std::int64_t>(memory / 4 * 3 >> 20, 64, 1 << 20));
}

std::string Complaint(const char* what, const absl::Status& status) {
  return status.ok() ? "" : fmt::format("{}: {}", what, std::string(status.message()));
}

std::string ServerDecides(const char* name, const Options& values) {
  return fmt::format("{} is for the server at {} to decide", name, values.server);
}

// Opened at once: whoever named the wrong folder is told so now, and the engine goes on without tables.
std::string OpenTables(Options& values, Link& link) {
  const absl::Status status = link.Open(values);
  if (!status.ok()) values.syzygy_path.clear();
  return Complaint("there are no tables", status);
}

// The same for a net: without it the engine takes its own.
std::string OpenNet(Options& values, Link& link) {
  const absl::Status status = link.Open(values);
  if (!status.ok()) values.eval_file.clear();
  return Complaint("there is no net", status);
}

// Some GUIs send every option back as it was declared: an empty name takes nothing away that the environment gave.
std::string TakeKey(Options& values) {
  if (values.key_file.empty()) return "";
  values.key.clear();
  absl::StatusOr<std::string> key = ReadKeyFile(values.key_file);
  if (key.ok()) values.key = *key;
  return Complaint("there is no key", key.status());
}

}  // namespace

OptionTable AllOptions(Options& values, OptionReach reach) {
  const auto hash = [&values] { return values.IsBridge() ? ServerDecides("Hash", values) : ""; };
  const auto clear_hash = [&values, &link = reach.link]() -> std::string {
    if (values.IsBridge()) return ServerDecides("Clear Hash", values);
    link.ClearHash();
    return "";
  };
  const auto threads = [&values] {
    return values.IsBridge() ? fmt::format("Threads is bounded by the server at {}", values.server) : "";
  };
  const auto syzygy_path = [&values, &link = reach.link] {
    return values.IsBridge() ? ServerDecides("SyzygyPath", values) : OpenTables(values, link);
  };
  const auto eval_file = [&values, &link = reach.link] {
    return values.IsBridge() ? ServerDecides("EvalFile", values) : OpenNet(values, link);
  };
  const auto evaluation = [&values, &link = reach.link] {
    return values.IsBridge() ? ServerDecides("Evaluation", values) : OpenNet(values, link);
  };
  const auto book_file = [&values, &book = reach.book] {
    return Complaint("there is no book", book.Load(values.book_file));
  };
  const auto chess960 = [&values, &game = reach.game] {
    return Complaint("the position stays as it was", game.SetChess960(values.chess960));
  };
  const auto key_file = [&values] { return TakeKey(values); };
  return OptionTable({
      Option::Spin("Hash", values.hash_mb, 1, MaxHashMb(), hash),
      Option::Button("Clear Hash", clear_hash),
      Option::Spin("Threads", values.threads, 1, 256, threads),
      Option::Spin("MultiPV", values.multi_pv, 1, 256),
      Option::Check("Ponder", values.ponder),
      Option::Spin("Move Overhead", values.move_overhead_ms, 0, 5000),
      Option::Text("SyzygyPath", values.syzygy_path, syzygy_path),
      Option::Combo("Evaluation", values.evaluation, {kNet, kClassical}, evaluation),
      Option::Text("EvalFile", values.eval_file, eval_file),
      Option::Check("OwnBook", values.own_book),
      Option::Text("Book File", values.book_file, book_file),
      Option::Check("UCI_Chess960", values.chess960, chess960),
      Option::Check("UCI_ShowWDL", values.show_wdl),
      Option::Check("UCI_AnalyseMode", values.analyse_mode),
      Option::Check("UCI_LimitStrength", values.limit_strength),
      Option::Spin("UCI_Elo", values.elo, 1000, 3000),
      Option::Text("Server", values.server),
      Option::Text("Key File", values.key_file, key_file),
      Option::Secret("Key", values.key),
      Option::Check("TLS", values.tls.on),
      Option::Text("TLS CA File", values.tls.ca_file),
      Option::Text("TLS Client Certificate", values.tls.client_cert_file),
      Option::Text("TLS Client Key", values.tls.client_key_file),
  });
}

}  // namespace kibitz::client::uci
