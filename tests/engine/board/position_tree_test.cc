// What must hold at every node of the trees below the suite's positions.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>

#include "engine/board/board.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/position.h"
#include "engine/board/uci_move.h"
#include "engine/board/zobrist.h"
#include "tests/support/perft_suite.h"

namespace kibitz {
namespace {

// Everything that can be seen of a position without asking it to compute.
struct Snapshot {
  explicit Snapshot(const Position& position)
      : board(position.board()),
        variant(position.variant()),
        halfmove_clock(position.halfmove_clock()),
        fullmove_number(position.fullmove_number()),
        key(position.key()),
        pawn_key(position.pawn_key()),
        checkers(position.checkers()),
        repetitions(position.Repetitions()) {
    for (int square = 0; square < kNumSquares; ++square) mailbox[square] = position.PieceOn(SquareAt(square));
  }
  friend bool operator==(const Snapshot&, const Snapshot&) = default;

  Board board;
  Variant variant;
  int halfmove_clock;
  int fullmove_number;
  Key key;
  Key pawn_key;
  Bitboard checkers;
  int repetitions;
  std::array<Piece, kNumSquares> mailbox;
};

class PositionTreeTest : public testing::TestWithParam<SuitePosition> {
 protected:
  PositionTreeTest() : position_(GetParam().Parse()) {}

  // How deep the cheap and the dear questions are asked.
  int FullDepth() const { return GetParam().DepthWithin(/*most=*/4, /*leaves=*/200'000); }
  int Depth() const { return GetParam().DepthWithin(/*most=*/3, /*leaves=*/4'000); }

  Position position_;
};

void ExpectUnmakeRestores(Position& position, int depth) {
  const Snapshot before(position);
  const std::string fen = ToFen(position);
  for (Move move : LegalMoves(position)) {
    position.MakeMove(move);
    if (depth > 1) ExpectUnmakeRestores(position, depth - 1);
    position.UnmakeMove(move);
    ASSERT_TRUE(Snapshot(position) == before) << fen << " after " << ToUci(move, position.variant()) << " and back";
  }
  ASSERT_EQ(ToFen(position), fen);
}

TEST_P(PositionTreeTest, UnmakeRestoresEveryBit) { ExpectUnmakeRestores(position_, FullDepth()); }

TEST_P(PositionTreeTest, UnmakeOfNullMoveRestoresEveryBit) {
  const int depth = Depth();
  const auto check = [](Position& node) {
    if (node.InCheck()) return;
    const Snapshot before(node);
    node.MakeNullMove();
    ASSERT_EQ(node.key(), zobrist::Compute(node.board()));
    ASSERT_EQ(node.pawn_key(), before.pawn_key);
    ASSERT_EQ(node.board().Of(Color::kWhite), before.board.Of(Color::kWhite));
    ASSERT_EQ(node.side_to_move(), ~before.board.side_to_move);
    ASSERT_EQ(node.board().en_passant, Square::kNone);
    ASSERT_FALSE(node.InCheck());
    node.UnmakeNullMove();
    ASSERT_TRUE(Snapshot(node) == before) << ToFen(node);
  };
  ForEachNode(position_, depth, [&](const Position& node, int) {
    Position copy = node;
    ASSERT_NO_FATAL_FAILURE(check(copy));
  });
}

TEST_P(PositionTreeTest, KeysAreThoseOfTheBoard) {
  ForEachNode(position_, FullDepth(), [](const Position& node, int) {
    ASSERT_EQ(node.key(), zobrist::Compute(node.board())) << ToFen(node);
    ASSERT_EQ(node.pawn_key(), zobrist::ComputePawns(node.board())) << ToFen(node);
  });
}

// A position that was played into and the same one read from its FEN cannot be told apart.
TEST_P(PositionTreeTest, PlayedPositionsEqualParsedOnes) {
  ForEachNode(position_, Depth(), [](const Position& node, int) {
    for (CastlingNotation notation : {CastlingNotation::kXFen, CastlingNotation::kShredder}) {
      const std::string fen = ToFen(node, notation);
      const absl::StatusOr<Position> parsed = ParseFen(fen, node.variant());
      ASSERT_TRUE(parsed.ok()) << fen << ": " << parsed.status();
      Snapshot expected(node);
      expected.repetitions = 1;
      ASSERT_TRUE(Snapshot(*parsed) == expected) << fen;
      ASSERT_EQ(ToFen(*parsed, notation), fen);
    }
  });
}

TEST_P(PositionTreeTest, BoardsAreConsistent) {
  ForEachNode(position_, Depth(), [](const Position& node, int) {
    const Board& board = node.board();
    Bitboard of_types = 0;
    int pieces = 0;
    for (Bitboard set : board.by_type) {
      of_types |= set;
      pieces += Count(set);
    }
    ASSERT_EQ(board.Of(Color::kWhite) & board.Of(Color::kBlack), 0u) << ToFen(node);
    ASSERT_EQ(of_types, board.Occupied()) << ToFen(node);
    ASSERT_EQ(pieces, Count(board.Occupied())) << ToFen(node) << ": two pieces on one square";
    for (int square = 0; square < kNumSquares; ++square) {
      ASSERT_EQ(node.PieceOn(SquareAt(square)), board.At(SquareAt(square))) << ToFen(node);
    }
    ASSERT_EQ(node.checkers(), board.Checkers()) << ToFen(node);
    ASSERT_FALSE(board.IsAttacked(board.KingOf(~board.side_to_move), board.side_to_move, board.Occupied()));
  });
}

INSTANTIATE_TEST_SUITE_P(Suite, PositionTreeTest, EverySuitePosition(), SuiteName);

}  // namespace
}  // namespace kibitz
