#include "engine/board/board.h"

#include <gtest/gtest.h>

#include "engine/board/position.h"
#include "tests/support/positions.h"

namespace kibitz {
namespace {

Board BoardOf(absl::string_view fen, Variant variant = Variant::kStandard) { return MustParse(fen, variant).board(); }

TEST(BoardTest, NamesTheManOnASquare) {
  const Board board = Position().board();
  EXPECT_EQ(board.At(Square::kE1), Piece(Color::kWhite, PieceType::kKing));
  EXPECT_EQ(board.At(Square::kG8), Piece(Color::kBlack, PieceType::kKnight));
  EXPECT_TRUE(board.At(Square::kE5).IsNone());
  EXPECT_EQ(board.KingOf(Color::kBlack), Square::kE8);
  EXPECT_EQ(Count(board.Occupied()), 32);
}

TEST(BoardTest, FindsAttackersOfBothSides) {
  const Board board = BoardOf("3r3k/8/2n5/1b6/3PN3/8/8/3RK3 w - - 0 1");
  EXPECT_EQ(board.AttackersTo(Square::kD4, board.Occupied()), Bit(Square::kD8) | Bit(Square::kC6) | Bit(Square::kD1));
  EXPECT_EQ(board.AttackersTo(Square::kE5, board.Occupied()), Bit(Square::kD4) | Bit(Square::kC6));
  EXPECT_TRUE(board.IsAttacked(Square::kE2, Color::kBlack, board.Occupied()));
  EXPECT_FALSE(board.IsAttacked(Square::kA1, Color::kBlack, board.Occupied()));
}

TEST(BoardTest, SeesThroughMenThatAreTakenAway) {
  const Board board = BoardOf("3r3k/8/8/8/3P4/8/8/3RK3 w - - 0 1");
  EXPECT_FALSE(board.IsAttacked(Square::kD2, Color::kBlack, board.Occupied()));
  EXPECT_TRUE(board.IsAttacked(Square::kD2, Color::kBlack, board.Occupied() & ~Bit(Square::kD4)));
}

TEST(BoardTest, FindsCheckersAndPinnedMen) {
  const Board board = BoardOf("4r2k/8/8/b7/8/2N5/4B3/r2NK3 w - - 0 1");
  EXPECT_EQ(board.Checkers(), 0u);
  EXPECT_EQ(board.Pinned(), Bit(Square::kE2) | Bit(Square::kC3) | Bit(Square::kD1));
  EXPECT_EQ(BoardOf("4r2k/8/8/8/8/4N3/4B3/4K3 w - - 0 1").Pinned(), 0u) << "two pieces shield: neither is pinned";
  EXPECT_EQ(BoardOf("4r2k/8/8/8/8/4p3/4B3/4K3 w - - 0 1").Pinned(), 0u) << "an enemy piece shields too";
  EXPECT_EQ(BoardOf("4r2k/8/8/8/8/8/8/4K3 w - - 0 1").Checkers(), Bit(Square::kE8));
}

TEST(BoardTest, TellsCastlingRightsOfChess960) {
  EXPECT_EQ(BoardOf("1rk1r3/8/8/8/8/8/8/1RK1R3 w EBeb - 0 1", Variant::kChess960).Rights(),
            kWhiteKingside | kWhiteQueenside | kBlackKingside | kBlackQueenside);
  EXPECT_EQ(BoardOf("1rk1r3/8/8/8/8/8/8/1RK1R3 w Be - 0 1", Variant::kChess960).Rights(),
            kWhiteQueenside | kBlackKingside);
}

TEST(CastlingMoveTest, EndsOnTheSquaresOfTheSide) {
  const CastlingMove kingside(Square::kB1, Square::kC1);
  EXPECT_TRUE(kingside.kingside);
  EXPECT_EQ(kingside.king_to, Square::kG1);
  EXPECT_EQ(kingside.rook_to, Square::kF1);
  const CastlingMove queenside(Square::kG8, Square::kF8);
  EXPECT_FALSE(queenside.kingside);
  EXPECT_EQ(queenside.king_to, Square::kC8);
  EXPECT_EQ(queenside.rook_to, Square::kD8);
}

}  // namespace
}  // namespace kibitz
