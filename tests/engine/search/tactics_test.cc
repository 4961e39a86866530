#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/board/san.h"
#include "engine/engine.h"
#include "tests/support/positions.h"

namespace kibitz {
namespace {

// A tenth of a second's work.
constexpr std::int64_t kNodes = 500'000;

struct Tactic {
  std::string fen;
  std::string best_move;
  std::optional<int> mate;
  std::string id;
};

void PrintTo(const Tactic& tactic, std::ostream* out) { *out << tactic.id << " " << tactic.fen; }

// An EPD line of tactics.epd.
Tactic Parse(absl::string_view line) {
  const std::vector<std::string> fields = absl::StrSplit(line, absl::MaxSplits(' ', 4));
  Tactic tactic;
  tactic.fen = fields[0] + " " + fields[1] + " " + fields[2] + " " + fields[3];
  for (absl::string_view operation : absl::StrSplit(fields[4], ';', absl::SkipWhitespace())) {
    const std::vector<std::string> words = absl::StrSplit(absl::StripLeadingAsciiWhitespace(operation), ' ');
    if (words[0] == "bm") tactic.best_move = words[1];
    if (words[0] == "dm") tactic.mate = std::atoi(words[1].c_str());
    if (words[0] == "id") tactic.id = words[1].substr(1, words[1].size() - 2);
  }
  return tactic;
}

std::vector<Tactic> Tactics(bool mates_only) {
  std::vector<Tactic> tactics;
  for (const std::string& line : ReadDataLines("tests/testdata/tactics.epd")) {
    Tactic tactic = Parse(line);
    if (!mates_only || tactic.mate) tactics.push_back(std::move(tactic));
  }
  return tactics;
}

std::string NameOf(const testing::TestParamInfo<Tactic>& info) {
  std::string name;
  for (char c : info.param.id) {
    if (c != '.') name += c;
  }
  return name;
}

AnalysisRequest RequestFor(const Tactic& tactic, std::int64_t nodes) {
  AnalysisRequest request;
  request.position = MustParse(tactic.fen);
  request.limits.nodes = nodes;
  return request;
}

// One thread and a fresh table: the same nodes on every machine.
AnalysisResult AnalyzeFresh(const AnalysisRequest& request) {
  Engine engine(16);
  return Analyze(engine, request);
}

class TacticsTest : public testing::TestWithParam<Tactic> {};

TEST_P(TacticsTest, FindsTheMove) {
  const AnalysisRequest request = RequestFor(GetParam(), kNodes);
  const Move found = AnalyzeFresh(request).analysis.lines.front().pv.front();
  EXPECT_EQ(ToSan(request.position, found), ToSan(request.position, *ParseSan(request.position, GetParam().best_move)));
}

INSTANTIATE_TEST_SUITE_P(Known, TacticsTest, testing::ValuesIn(Tactics(/*mates_only=*/false)), NameOf);

class MateDistanceTest : public testing::TestWithParam<Tactic> {};

TEST_P(MateDistanceTest, IsRight) {
  AnalysisRequest request = RequestFor(GetParam(), 3'000'000);
  request.limits.mate = *GetParam().mate;
  const AnalysisResult result = AnalyzeFresh(request);
  const AnalysisLine& line = result.analysis.lines.front();
  EXPECT_EQ(result.stop_reason, StopReason::kMate);
  EXPECT_EQ(line.score.kind, Score::Kind::kMate);
  EXPECT_EQ(line.score.amount, *GetParam().mate);
  // The line shows it.
  Position position = request.position;
  for (Move move : line.pv) position.MakeMove(move);
  EXPECT_EQ(position.Status(), GameStatus::kCheckmate);
  EXPECT_EQ(static_cast<int>(line.pv.size()), 2 * *GetParam().mate - 1);
}

INSTANTIATE_TEST_SUITE_P(Known, MateDistanceTest, testing::ValuesIn(Tactics(/*mates_only=*/true)), NameOf);

TEST(TacticsFileTest, HasEnoughOfEach) {
  EXPECT_GE(Tactics(/*mates_only=*/false).size(), 60u);
  for (int moves = 1; moves <= 5; ++moves) {
    int count = 0;
    for (const Tactic& tactic : Tactics(/*mates_only=*/true)) count += tactic.mate == moves;
    EXPECT_GE(count, 2) << "mates in " << moves;
  }
}

}  // namespace
}  // namespace kibitz
