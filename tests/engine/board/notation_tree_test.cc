// Moves survive being written and read, at every node of the trees below the suite's positions.

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/position.h"
#include "engine/board/san.h"
#include "engine/board/uci_move.h"
#include "tests/support/perft_suite.h"

namespace kibitz {
namespace {

constexpr int kPlies = 3;
constexpr std::uint64_t kLeaves = 1000;

class NotationTreeTest : public testing::TestWithParam<SuitePosition> {
 protected:
  // Calls `visit` with every legal move of every node.
  void ForEachMove(const std::function<void(const Position& node, Move move)>& visit) {
    Position position = GetParam().Parse();
    ForEachNode(position, GetParam().DepthWithin(kPlies, kLeaves), [&](const Position& node, int) {
      for (Move move : LegalMoves(node)) ASSERT_NO_FATAL_FAILURE(visit(node, move));
    });
  }
};

TEST_P(NotationTreeTest, UciIsReadAsItWasWritten) {
  ForEachMove([](const Position& node, Move move) {
    const std::string text = ToUci(move, node.variant());
    const absl::StatusOr<Move> read = ParseUciMove(node, text);
    ASSERT_TRUE(read.ok()) << ToFen(node) << ": " << read.status();
    ASSERT_EQ(*read, move) << ToFen(node) << " " << text;
  });
}

TEST_P(NotationTreeTest, UciTellsMovesApart) {
  Position position = GetParam().Parse();
  ForEachNode(position, GetParam().DepthWithin(kPlies, kLeaves), [](const Position& node, int) {
    std::set<std::string> texts, sans;
    const MoveList moves = LegalMoves(node);
    for (Move move : moves) {
      texts.insert(ToUci(move, node.variant()));
      sans.insert(ToSan(node, move));
    }
    ASSERT_EQ(static_cast<int>(texts.size()), moves.size()) << ToFen(node);
    ASSERT_EQ(static_cast<int>(sans.size()), moves.size()) << ToFen(node);
  });
}

TEST_P(NotationTreeTest, SanIsReadAsItWasWritten) {
  ForEachMove([](const Position& node, Move move) {
    const std::string text = ToSan(node, move);
    const absl::StatusOr<Move> read = ParseSan(node, text);
    ASSERT_TRUE(read.ok()) << ToFen(node) << ": " << read.status();
    ASSERT_EQ(*read, move) << ToFen(node) << " " << text;
  });
}

// The sign at the end says what playing the move shows.
TEST_P(NotationTreeTest, SanSignsAreTrue) {
  ForEachMove([](const Position& node, Move move) {
    const std::string text = ToSan(node, move);
    Position after = node;
    after.MakeMove(move);
    const char sign = !after.InCheck() ? ' ' : after.HasLegalMove() ? '+' : '#';
    const char last = text.back() == '+' || text.back() == '#' ? text.back() : ' ';
    ASSERT_EQ(last, sign) << ToFen(node) << " " << text;
  });
}

// Without its disambiguation a move that has one is ambiguous; with a rank, none with a file alone would do; with both,
// neither of them alone would do.
TEST_P(NotationTreeTest, SanDisambiguatesNoMoreThanNeeded) {
  ForEachMove([](const Position& node, Move move) {
    const std::string text = ToSan(node, move);
    const std::string origin = ToString(move.from());
    if (text[0] < 'A' || text[0] > 'Z' || text[0] == 'O') return;
    const std::string target = absl::StrCat(node.IsCapture(move) ? "x" : "", ToString(move.to()));
    const std::size_t end = text.find(target, text.size() - target.size() - (node.GivesCheck(move) ? 1 : 0));
    ASSERT_NE(end, std::string::npos) << text;
    const std::string given = text.substr(1, end - 1);
    const auto reads_as = [&](const std::string& shorter) {
      return ParseSan(node, absl::StrCat(text.substr(0, 1), shorter, target)).ok();
    };
    const std::string file = origin.substr(0, 1), rank = origin.substr(1, 1);
    ASSERT_TRUE(given.empty() || given == file || given == rank || given == origin) << ToFen(node) << " " << text;
    if (!given.empty()) ASSERT_FALSE(reads_as("")) << ToFen(node) << " " << text;
    if (given == rank || given == origin) ASSERT_FALSE(reads_as(file)) << ToFen(node) << " " << text;
    if (given == origin) ASSERT_FALSE(reads_as(rank)) << ToFen(node) << " " << text;
    // More than needed is welcome.
    ASSERT_TRUE(reads_as(origin)) << ToFen(node) << " " << text;
  });
}

INSTANTIATE_TEST_SUITE_P(Suite, NotationTreeTest, EverySuitePosition(), SuiteName);

}  // namespace
}  // namespace kibitz
