#include "client/uci/options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"

namespace kibitz::client::uci {
namespace {

// How UCI writes a text with nothing in it.
constexpr char kEmpty[] = "<empty>";

struct Check {
  bool Options::* member;
};
struct Spin {
  int Options::* member;
  int least;
  int most;
};
struct Text {
  std::string Options::* member;
};
struct Button {};

struct Entry {
  const char* name;
  std::variant<Check, Spin, Text, Button> kind;
};

// A table larger than the machine's memory would end the program when it is filled.
int MostHashMb() {
  const std::int64_t memory = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  return static_cast<int>(std::clamp<std::int64_t>(memory / 4 * 3 >> 20, 64, 1 << 20));
}

const auto& Entries() {
  static const std::array kEntries = {
      Entry{kHash, Spin{&Options::hash_mb, 1, MostHashMb()}},
      Entry{kClearHash, Button{}},
      Entry{kThreads, Spin{&Options::threads, 1, 256}},
      Entry{"MultiPV", Spin{&Options::multi_pv, 1, 256}},
      Entry{"Ponder", Check{&Options::ponder}},
      Entry{"Move Overhead", Spin{&Options::move_overhead_ms, 0, 5000}},
      Entry{kSyzygyPath, Text{&Options::syzygy_path}},
      Entry{"OwnBook", Check{&Options::own_book}},
      Entry{kBookFile, Text{&Options::book_file}},
      Entry{kChess960, Check{&Options::chess960}},
      Entry{"UCI_ShowWDL", Check{&Options::show_wdl}},
      Entry{"UCI_AnalyseMode", Check{&Options::analyse_mode}},
      Entry{"UCI_LimitStrength", Check{&Options::limit_strength}},
      Entry{"UCI_Elo", Spin{&Options::elo, 1000, 3000}},
      Entry{"Server", Text{&Options::server}},
      Entry{"Key", Text{&Options::key}},
  };
  return kEntries;
}

// What the declaration says of a kind of option.
struct Declare {
  const Options& options;
  std::string operator()(const Check& check) const { return fmt::format("check default {}", options.*check.member); }
  std::string operator()(const Spin& spin) const {
    return fmt::format("spin default {} min {} max {}", options.*spin.member, spin.least, spin.most);
  }
  std::string operator()(const Text& text) const {
    const bool hidden = text.member == &Options::key || (options.*text.member).empty();
    return fmt::format("string default {}", hidden ? kEmpty : options.*text.member);
  }
  std::string operator()(const Button&) const { return "button"; }
};

struct Assign {
  Options& options;
  const std::string& value;
  // Empty when all is well, else what the value should be.
  std::string operator()(const Check& check) const {
    if (absl::EqualsIgnoreCase(value, "true")) return options.*check.member = true, "";
    if (absl::EqualsIgnoreCase(value, "false")) return options.*check.member = false, "";
    return "true or false";
  }
  std::string operator()(const Spin& spin) const {
    int number = 0;
    if (!absl::SimpleAtoi(value, &number) || number < spin.least || number > spin.most) {
      return fmt::format("a number from {} to {}", spin.least, spin.most);
    }
    options.*spin.member = number;
    return "";
  }
  std::string operator()(const Text& text) const {
    options.*text.member = value == kEmpty ? "" : value;
    return "";
  }
  std::string operator()(const Button&) const { return ""; }
};

}  // namespace

std::string DeclareOptions(const Options& options) {
  std::string lines;
  for (const Entry& entry : Entries()) {
    lines += fmt::format("option name {} type {}\n", entry.name, std::visit(Declare{options}, entry.kind));
  }
  return lines;
}

absl::StatusOr<std::string> SetOptionValue(Options& options, const std::string& name, const std::string& value) {
  const auto entry = std::find_if(Entries().begin(), Entries().end(),
                                  [&](const Entry& each) { return absl::EqualsIgnoreCase(each.name, name); });
  if (entry == Entries().end()) return absl::NotFoundError(fmt::format("no such option: {}", name));
  const std::string wanted = std::visit(Assign{options, value}, entry->kind);
  if (!wanted.empty()) {
    return absl::InvalidArgumentError(fmt::format("option {} wants {}, not '{}'", entry->name, wanted, value));
  }
  return entry->name;
}

}  // namespace kibitz::client::uci
