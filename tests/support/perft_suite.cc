#include "tests/support/perft_suite.h"

#include <cstdlib>
#include <iostream>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/board/movegen.h"
#include "tests/support/positions.h"

namespace kibitz {
namespace {

constexpr char kPath[] = "tests/testdata/perft_suite.txt";

[[noreturn]] void Die(absl::string_view line) {
  std::cerr << kPath << ": cannot read the line: " << line << std::endl;
  std::abort();
}

SuitePosition ReadLine(const std::string& line) {
  std::vector<std::string> fields = absl::StrSplit(line, ';');
  if (fields.size() != 4) Die(line);
  for (std::string& field : fields) absl::StripAsciiWhitespace(&field);
  SuitePosition position{.name = fields[0], .fen = fields[2]};
  if (fields[1] != "standard" && fields[1] != "chess960") Die(line);
  if (fields[1] == "chess960") position.variant = Variant::kChess960;
  for (absl::string_view text : absl::StrSplit(fields[3], ' ')) {
    if (!absl::SimpleAtoi(text, &position.counts.emplace_back())) Die(line);
  }
  return position;
}

std::vector<SuitePosition> ReadSuite() {
  std::vector<SuitePosition> suite;
  for (const std::string& line : ReadDataLines(kPath)) suite.push_back(ReadLine(line));
  return suite;
}

}  // namespace

Position SuitePosition::Parse() const { return MustParse(fen, variant); }

int SuitePosition::DepthWithin(int most, std::uint64_t leaves) const {
  int depth = 1;
  while (depth < most && depth < static_cast<int>(counts.size()) && counts[depth] <= leaves) ++depth;
  return depth;
}

void PrintTo(const SuitePosition& position, std::ostream* out) { *out << position.name << ": " << position.fen; }

const std::vector<SuitePosition>& PerftSuite() {
  static const auto* const suite = new std::vector<SuitePosition>(ReadSuite());
  return *suite;
}

void ForEachNode(Position& position, int depth, const std::function<void(const Position& node, int left)>& visit) {
  visit(position, depth);
  if (depth == 0 || testing::Test::HasFatalFailure()) return;
  for (Move move : LegalMoves(position)) {
    position.MakeMove(move);
    ForEachNode(position, depth - 1, visit);
    position.UnmakeMove(move);
  }
}

}  // namespace kibitz
