// Any bytes as lines of the Universal Chess Interface.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/uci/command.h"
#include "tests/fuzz/fuzz_support.h"

namespace kibitz {
namespace {

namespace uci = client::uci;

// What is said of a bad line must itself be one line of text, and short.
void RequireGoodComplaint(const std::string& complaint) {
  Require(!complaint.empty() && complaint.size() < 400, "a complaint is short");
  for (char c : complaint) Require(absl::ascii_isprint(static_cast<unsigned char>(c)), "a complaint is printable");
}

// The same command, written tidily.
std::string Write(const uci::Go& go) {
  std::string line = "go";
  const auto add = [&](const char* name, const std::optional<std::int64_t>& value) {
    if (value) absl::StrAppend(&line, " ", name, " ", *value);
  };
  add("wtime", go.white_time);
  add("btime", go.black_time);
  add("winc", go.white_increment);
  add("binc", go.black_increment);
  add("movestogo", go.moves_to_go);
  add("depth", go.depth);
  add("nodes", go.nodes);
  add("mate", go.mate);
  add("movetime", go.movetime);
  add("perft", go.perft);
  if (go.ponder) line += " ponder";
  if (go.infinite) line += " infinite";
  if (!go.search_moves.empty()) absl::StrAppend(&line, " searchmoves ", absl::StrJoin(go.search_moves, " "));
  return line;
}

void Check(const uci::Go& go) {
  for (const std::string& complaint : go.complaints) RequireGoodComplaint(complaint);
  const std::string line = Write(go);
  const uci::Command again = uci::ParseCommand(line);
  Require(std::holds_alternative<uci::Go>(again), "a go stays a go");
  Require(std::get<uci::Go>(again).complaints.empty(), "a tidy go is understood");
  Require(Write(std::get<uci::Go>(again)) == line, "a go keeps its parameters");
}

void Check(const uci::SetPosition& position) {
  const std::string line = absl::StrCat("position ", position.fen.empty() ? "startpos" : "fen " + position.fen,
                                        " moves ", absl::StrJoin(position.moves, " "));
  const uci::Command again = uci::ParseCommand(line);
  Require(std::holds_alternative<uci::SetPosition>(again), "a position stays a position");
  Require(std::get<uci::SetPosition>(again).fen == position.fen, "a position keeps its FEN");
  Require(std::get<uci::SetPosition>(again).moves == position.moves, "a position keeps its moves");
}

void Check(const uci::SetOption& option) {
  Require(!option.name.empty(), "an option has a name");
  const uci::Command again = uci::ParseCommand(absl::StrCat("setoption name ", option.name, " value ", option.value));
  Require(std::holds_alternative<uci::SetOption>(again), "an option stays an option");
  Require(std::get<uci::SetOption>(again).value == option.value, "an option keeps its value");
}

void Check(const uci::Malformed& malformed) { RequireGoodComplaint(malformed.complaint); }

template <typename Other>
void Check(const Other&) {}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  std::visit([](const auto& command) { Check(command); }, uci::ParseCommand(line));
  return 0;
}

}  // namespace kibitz
