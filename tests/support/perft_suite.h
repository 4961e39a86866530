// The positions of tests/testdata/perft_suite.txt with their counts, which are Stockfish's.

#ifndef KIBITZ_TESTS_SUPPORT_PERFT_SUITE_H_
#define KIBITZ_TESTS_SUPPORT_PERFT_SUITE_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "engine/board/move.h"
#include "engine/board/position.h"
#include "engine/board/types.h"

namespace kibitz {

struct SuitePosition {
  std::string name;
  Variant variant = Variant::kStandard;
  std::string fen;
  std::vector<std::uint64_t> counts = {};  // of depth 1, 2, ...

  Position Parse() const;
  // The deepest depth, at most `most`, whose count is at most `leaves`; at least 1.
  int DepthWithin(int most, std::uint64_t leaves) const;
};

// Names the position where GoogleTest prints a parameter.
void PrintTo(const SuitePosition& position, std::ostream* out);

const std::vector<SuitePosition>& PerftSuite();

// For INSTANTIATE_TEST_SUITE_P(Suite, SomeTest, EverySuitePosition(), SuiteName).
inline auto EverySuitePosition() { return testing::ValuesIn(PerftSuite()); }
inline std::string SuiteName(const testing::TestParamInfo<SuitePosition>& info) { return info.param.name; }

// Calls `visit` at every node of the tree of legal moves down to `depth` plies, the root included, with the plies left
// below it. The walk ends early at a fatal failure of the test.
void ForEachNode(Position& position, int depth, const std::function<void(const Position& node, int left)>& visit);

}  // namespace kibitz

#endif  // KIBITZ_TESTS_SUPPORT_PERFT_SUITE_H_
