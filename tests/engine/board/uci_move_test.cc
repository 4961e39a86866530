#include "engine/board/uci_move.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/status/statusor.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/position.h"
#include "tests/support/positions.h"

namespace kibitz {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr auto kChess960 = Variant::kChess960;
constexpr auto kStandard = Variant::kStandard;

std::string WhyNot(const Position& position, absl::string_view text) {
  const absl::StatusOr<Move> move = ParseUciMove(position, text);
  if (move.ok()) return "accepted as " + ToUci(*move, position.variant());
  EXPECT_EQ(move.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(move.status().message());
}

TEST(UciMoveTest, NamesSquares) {
  EXPECT_EQ(ToString(Square::kA1), "a1");
  EXPECT_EQ(ToString(Square::kH8), "h8");
  EXPECT_EQ(ToString(Square::kE4), "e4");
  EXPECT_EQ(ToString(Square::kNone), "-");
  for (int square = 0; square < kNumSquares; ++square) {
    EXPECT_EQ(ParseSquare(ToString(SquareAt(square))), SquareAt(square));
  }
}

TEST(UciMoveTest, RefusesWhatIsNoSquare) {
  for (absl::string_view text :
       {"", "-", "e", "4", "e0", "e9", "i4", "E4", "4e", "e4 ", " e4", "e44", "ee", "`1", "a:"}) {
    EXPECT_FALSE(ParseSquare(text).has_value()) << text;
  }
  EXPECT_FALSE(ParseSquare(absl::string_view("e\0", 2)).has_value());
  EXPECT_FALSE(ParseSquare("\xe5\xb4").has_value());
}

TEST(UciMoveTest, WritesMoves) {
  EXPECT_EQ(ToUci(Move(), kStandard), "0000");
  EXPECT_EQ(ToUci(Move(Square::kE2, Square::kE4), kStandard), "e2e4");
  EXPECT_EQ(ToUci(Move(Square::kE5, Square::kD6, Move::Kind::kEnPassant), kStandard), "e5d6");
  EXPECT_EQ(ToUci(Move::Promotion(Square::kA7, Square::kB8, PieceType::kKnight), kStandard), "a7b8n");
  EXPECT_EQ(ToUci(Move::Promotion(Square::kA7, Square::kB8, PieceType::kBishop), kStandard), "a7b8b");
  EXPECT_EQ(ToUci(Move::Promotion(Square::kA2, Square::kA1, PieceType::kRook), kStandard), "a2a1r");
  EXPECT_EQ(ToUci(Move::Promotion(Square::kA2, Square::kA1, PieceType::kQueen), kChess960), "a2a1q");
}

TEST(UciMoveTest, WritesCastlingAsTheVariantHasIt) {
  const Move short_castling(Square::kE1, Square::kH1, Move::Kind::kCastling);
  const Move long_castling(Square::kE8, Square::kA8, Move::Kind::kCastling);
  EXPECT_EQ(ToUci(short_castling, kStandard), "e1g1");
  EXPECT_EQ(ToUci(long_castling, kStandard), "e8c8");
  EXPECT_EQ(ToUci(short_castling, kChess960), "e1h1");
  EXPECT_EQ(ToUci(long_castling, kChess960), "e8a8");
}

TEST(UciMoveTest, ReadsBothFormsOfStandardCastling) {
  const Position position = MustParse("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1");
  EXPECT_EQ(*ParseUciMove(position, "e8g8"), *ParseUciMove(position, "e8h8"));
  EXPECT_EQ(*ParseUciMove(position, "e8c8"), *ParseUciMove(position, "e8a8"));
  EXPECT_EQ(ParseUciMove(position, "e8c8")->kind(), Move::Kind::kCastling);
}

TEST(UciMoveTest, TellsChess960CastlingFromKingMoves) {
  // The king on f1 may step to g1, or castle with the rook on h1, which also puts it there.
  const Position position = MustParse("4k3/8/8/8/8/8/8/5K1R w H - 0 1", kChess960);
  EXPECT_EQ(ParseUciMove(position, "f1g1")->kind(), Move::Kind::kNormal);
  EXPECT_EQ(ParseUciMove(position, "f1h1")->kind(), Move::Kind::kCastling);
}

TEST(UciMoveTest, DoesNotReadTwoStepsAsCastlingInChess960) {
  const Position position = MustParse("4k3/8/8/8/8/8/8/4K2R w H - 0 1", kChess960);
  EXPECT_TRUE(ParseUciMove(position, "e1h1").ok());
  EXPECT_THAT(WhyNot(position, "e1g1"), HasSubstr("not legal"));
}

TEST(UciMoveTest, ReadsEveryPromotion) {
  const Position position = MustParse("1n5k/P7/8/8/8/8/8/K7 w - - 0 1");
  for (const char* text : {"a7a8n", "a7a8b", "a7a8r", "a7a8q", "a7b8n", "a7b8b", "a7b8r", "a7b8q"}) {
    const absl::StatusOr<Move> move = ParseUciMove(position, text);
    ASSERT_TRUE(move.ok()) << move.status();
    EXPECT_EQ(ToUci(*move, kStandard), text);
  }
}

TEST(UciMoveTest, RefusesWhatIsNoMove) {
  const Position start;
  for (absl::string_view text :
       {"",     "e",     "e2",    "e2e",   "e2e4x",  "e2e4qq", "E2E4",         "e2-e4", "e2e9",
        "i2e4", "e2 e4", " e2e4", "e2e4 ", "e2e4\n", "e4",     "Nf3",          "O-O",   "0000",
        "null", "e7e8Q", "e7e8k", "e7e8p", "(none)", "e2e4+",  "\xe2\x99\x98", "++++",  "9999"}) {
    EXPECT_THAT(WhyNot(start, text), HasSubstr("is not a move in UCI notation")) << text;
  }
  EXPECT_THAT(WhyNot(start, absl::string_view("e2\0e4", 5)), HasSubstr("is not a move in UCI notation"));
  EXPECT_THAT(WhyNot(start, absl::string_view("e2e4\0", 5)), HasSubstr("is not a move in UCI notation"));
}

TEST(UciMoveTest, QuotesLongTextInPart) {
  const std::string why = WhyNot(Position(), std::string(100'000, 'e'));
  EXPECT_LT(why.size(), 200u);
  EXPECT_THAT(why, HasSubstr("eee..."));
}

TEST(UciMoveTest, SaysWhyAMoveIsNotLegal) {
  const Position start;
  EXPECT_THAT(WhyNot(start, "e4e5"), AllOf(HasSubstr("'e4e5' is not legal"), HasSubstr("there is no piece on e4")));
  EXPECT_THAT(WhyNot(start, "e7e5"), HasSubstr("the piece on e7 is the opponent's"));
  EXPECT_THAT(WhyNot(start, "e2e5"), HasSubstr("the piece cannot go there"));
  EXPECT_THAT(WhyNot(start, "e2e4q"), HasSubstr("only a pawn that reaches the last rank promotes"));
  EXPECT_THAT(WhyNot(start, "g1f3n"), HasSubstr("only a pawn that reaches the last rank promotes"));
  EXPECT_THAT(WhyNot(MustParse("7k/P7/8/8/8/8/8/K7 w - - 0 1"), "a7a8"), HasSubstr("lacks the piece to promote to"));
  EXPECT_THAT(WhyNot(MustParse("4k3/8/8/8/8/8/4r3/4K2R w K - 0 1"), "h1h2"), HasSubstr("does not answer the check"));
}

TEST(UciMoveTest, SaysThatAMoveWouldExposeTheKing) {
  EXPECT_THAT(WhyNot(MustParse("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1"), "e2c3"), HasSubstr("king"));
  EXPECT_THAT(WhyNot(MustParse("3r3k/8/8/8/8/8/8/4K3 w - - 0 1"), "e1d1"), HasSubstr("king"));
}

TEST(UciMoveTest, RefusesCastlingThatTheRulesForbid) {
  // Through check, into check, out of check, without the right, with a piece between.
  EXPECT_THAT(WhyNot(MustParse("4k3/8/8/8/5r2/8/8/4K2R w K - 0 1"), "e1g1"), HasSubstr("not legal"));
  EXPECT_THAT(WhyNot(MustParse("4k3/8/8/8/6r1/8/8/4K2R w K - 0 1"), "e1g1"), HasSubstr("not legal"));
  EXPECT_THAT(WhyNot(MustParse("4k3/8/8/8/4r3/8/8/4K2R w K - 0 1"), "e1g1"), HasSubstr("not legal"));
  EXPECT_THAT(WhyNot(MustParse("4k3/8/8/8/8/8/8/4K2R w - - 0 1"), "e1g1"), HasSubstr("not legal"));
  EXPECT_THAT(WhyNot(MustParse("4k3/8/8/8/8/8/8/4KB1R w K - 0 1"), "e1g1"), HasSubstr("not legal"));
}

}  // namespace
}  // namespace kibitz
