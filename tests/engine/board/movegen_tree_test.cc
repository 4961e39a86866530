// The generators agree with each other and with the board at every node of the trees below the suite's positions.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/position.h"
#include "engine/board/uci_move.h"
#include "tests/support/perft_suite.h"

namespace kibitz {
namespace {

constexpr int kPlies = 3;
constexpr std::uint64_t kLeaves = 10'000;

// Sorted by bits: comparing two such lists also finds moves that are listed twice.
std::vector<std::uint16_t> Sorted(const MoveList& moves) {
  std::vector<std::uint16_t> bits;
  for (Move move : moves) bits.push_back(move.bits());
  std::sort(bits.begin(), bits.end());
  return bits;
}

class MovegenTreeTest : public testing::TestWithParam<SuitePosition> {
 protected:
  void ForEachNode(const std::function<void(const Position& node, int left)>& visit) {
    Position position = GetParam().Parse();
    kibitz::ForEachNode(position, GetParam().DepthWithin(kPlies, kLeaves), visit);
  }
};

TEST_P(MovegenTreeTest, ListsNoMoveTwice) {
  ForEachNode([](const Position& node, int) {
    const std::vector<std::uint16_t> moves = Sorted(LegalMoves(node));
    ASSERT_EQ(std::adjacent_find(moves.begin(), moves.end()), moves.end()) << ToFen(node);
  });
}

TEST_P(MovegenTreeTest, CountsWhatItLists) {
  ForEachNode([](const Position& node, int) {
    const int listed = LegalMoves(node).size();
    ASSERT_EQ(CountLegalMoves(node.board()), listed) << ToFen(node);
    ASSERT_EQ(node.HasLegalMove(), listed > 0) << ToFen(node);
  });
}

TEST_P(MovegenTreeTest, CapturesAndQuietsAreAllMoves) {
  ForEachNode([](const Position& node, int) {
    MoveList captures, quiets, both;
    GenerateCaptures(node.board(), captures);
    GenerateQuiets(node.board(), quiets);
    for (Move move : captures) {
      ASSERT_TRUE(node.IsCapture(move) || move.kind() == Move::Kind::kPromotion) << ToFen(node);
      both.Add(move);
    }
    for (Move move : quiets) {
      ASSERT_FALSE(node.IsCapture(move) || move.kind() == Move::Kind::kPromotion) << ToFen(node);
      both.Add(move);
    }
    ASSERT_EQ(Sorted(both), Sorted(LegalMoves(node))) << ToFen(node);
  });
}

TEST_P(MovegenTreeTest, EvasionsAreAllMovesInCheck) {
  ForEachNode([](const Position& node, int) {
    if (!node.InCheck()) return;
    MoveList evasions;
    GenerateEvasions(node.board(), evasions);
    ASSERT_EQ(Sorted(evasions), Sorted(LegalMoves(node))) << ToFen(node);
  });
}

TEST_P(MovegenTreeTest, GivesCheckForetellsCheck) {
  ForEachNode([](const Position& node, int left) {
    if (left == 0) return;
    Position after = node;
    for (Move move : LegalMoves(node)) {
      after.MakeMove(move);
      ASSERT_EQ(node.GivesCheck(move), after.InCheck()) << ToFen(node) << " " << ToUci(move, node.variant());
      after.UnmakeMove(move);
    }
  });
}

// Stages append: what stood in the list before stays.
TEST_P(MovegenTreeTest, AppendsToTheList) {
  const Position position = GetParam().Parse();
  MoveList moves;
  moves.Add(Move(Square::kA1, Square::kH8));
  GenerateCaptures(position.board(), moves);
  GenerateQuiets(position.board(), moves);
  EXPECT_EQ(moves[0], Move(Square::kA1, Square::kH8));
  EXPECT_EQ(moves.size(), 1 + CountLegalMoves(position.board()));
}

// Of all words of 16 bits, exactly the listed moves are legal.
TEST_P(MovegenTreeTest, NoOtherWordIsLegal) {
  const Position position = GetParam().Parse();
  const std::vector<std::uint16_t> legal = Sorted(LegalMoves(position));
  for (int bits = 0; bits <= 0xffff; ++bits) {
    const bool listed = std::binary_search(legal.begin(), legal.end(), bits);
    ASSERT_EQ(position.IsLegal(Move::FromBits(static_cast<std::uint16_t>(bits))), listed) << bits;
  }
}

INSTANTIATE_TEST_SUITE_P(Suite, MovegenTreeTest, EverySuitePosition(), SuiteName);

}  // namespace
}  // namespace kibitz
