#include "engine/board/fen.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/status/statusor.h"
#include "engine/board/board.h"
#include "engine/board/position.h"
#include "tests/support/positions.h"

namespace kibitz {
namespace {

constexpr auto kChess960 = Variant::kChess960;

std::string RoundTrip(const std::string& fen, Variant variant = Variant::kStandard,
                      CastlingNotation notation = CastlingNotation::kXFen) {
  const absl::StatusOr<Position> position = ParseFen(fen, variant);
  return position.ok() ? ToFen(*position, notation) : std::string(position.status().message());
}

TEST(FenTest, ReadsAndWritesTheStartPosition) {
  EXPECT_EQ(ToFen(Position()), kStartFen);
  EXPECT_EQ(RoundTrip(kStartFen), kStartFen);
  const Position start = MustParse(kStartFen);
  EXPECT_EQ(start.key(), Position().key());
  EXPECT_TRUE(start.board() == Position().board());
  EXPECT_EQ(start.PieceOn(Square::kE1), Piece(Color::kWhite, PieceType::kKing));
  EXPECT_EQ(start.PieceOn(Square::kD8), Piece(Color::kBlack, PieceType::kQueen));
  EXPECT_TRUE(start.PieceOn(Square::kE4).IsNone());
}

TEST(FenTest, FillsInMissingClocks) {
  EXPECT_EQ(RoundTrip("4k3/8/8/8/8/8/8/4K3 b - -"), "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
}

TEST(FenTest, KeepsClocks) {
  for (const char* fen : {"4k3/8/8/8/8/8/8/4K2R b - - 99 250", "4k3/8/8/8/8/8/8/4K2R w - - 0 99999",
                          "4k3/8/8/8/8/8/8/4K2R w - - 99999 1", "4k3/8/8/8/8/8/8/4K2R w - - 150 3"}) {
    EXPECT_EQ(RoundTrip(fen), fen);
  }
}

TEST(FenTest, TakesMoveNumberZeroForOne) {
  EXPECT_EQ(RoundTrip("4k3/8/8/8/8/8/8/4K3 w - - 0 0"), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
}

TEST(FenTest, ReadsZerosInFrontOfClocks) {
  EXPECT_EQ(RoundTrip("4k3/8/8/8/8/8/8/4K3 w - - 007 012"), "4k3/8/8/8/8/8/8/4K3 w - - 7 12");
}

TEST(FenTest, ForgivesBlanksAroundFields) {
  const std::string fen = "4k3/8/8/8/8/8/8/4K3 w - - 3 9";
  EXPECT_EQ(RoundTrip("  4k3/8/8/8/8/8/8/4K3   w\t- -  3 \t 9  "), fen);
}

TEST(FenTest, WritesCastlingRightsInOneOrder) {
  EXPECT_EQ(RoundTrip("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1"), "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
  EXPECT_EQ(RoundTrip("r3k2r/8/8/8/8/8/8/R3K2R w kQ - 0 1"), "r3k2r/8/8/8/8/8/8/R3K2R w Qk - 0 1");
}

TEST(FenTest, KnowsEverySetOfCastlingRights) {
  for (int rights = 0; rights < 16; ++rights) {
    std::string field;
    for (int i = 0; i < 4; ++i) {
      if (rights >> i & 1) field += "KQkq"[i];
    }
    const std::string fen = "r3k2r/8/8/8/8/8/8/R3K2R b " + (field.empty() ? "-" : field) + " - 0 1";
    EXPECT_EQ(RoundTrip(fen), fen);
    EXPECT_EQ(MustParse(fen).board().Rights(), rights) << fen;
  }
}

TEST(FenTest, WritesStandardCastlingThatWayInShredderNotationToo) {
  EXPECT_EQ(ToFen(Position(), CastlingNotation::kShredder), kStartFen);
}

TEST(FenTest, ReadsShredderNotation) {
  const std::string shredder = "nrbqbkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBQBKRN w GBgb - 0 1";
  EXPECT_EQ(RoundTrip(shredder, kChess960, CastlingNotation::kShredder), shredder);
  EXPECT_EQ(RoundTrip(shredder, kChess960), "nrbqbkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBQBKRN w KQkq - 0 1");
}

TEST(FenTest, ReadsXFenAsTheOutermostRook) {
  const Position position = MustParse("rr2k1rr/8/8/8/8/8/8/RR2K1RR w KQkq - 0 1", kChess960);
  EXPECT_EQ(position.board().castling_rooks, Bit(Square::kA1) | Bit(Square::kH1) | Bit(Square::kA8) | Bit(Square::kH8));
}

TEST(FenTest, WritesInnerRooksByTheirFiles) {
  const std::string inner = "rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBgb - 0 1";
  EXPECT_EQ(RoundTrip(inner, kChess960), inner);
  EXPECT_EQ(RoundTrip(inner, kChess960, CastlingNotation::kShredder), inner);
  // One of each: the outermost rook has the common letter.
  EXPECT_EQ(RoundTrip("rr2k1rr/8/8/8/8/8/8/RR2K1RR w HBga - 0 1", kChess960),
            "rr2k1rr/8/8/8/8/8/8/RR2K1RR w KBgq - 0 1");
}

TEST(FenTest, LooksForXFenRooksOnTheRightSideOfTheKing) {
  const Position position = MustParse("4k3/8/8/8/8/8/8/2RRK3 w Q - 0 1", kChess960);
  EXPECT_EQ(position.board().castling_rooks, Bit(Square::kC1));
  EXPECT_FALSE(ParseFen("4k3/8/8/8/8/8/8/2RRK3 w K - 0 1", kChess960).ok());
}

TEST(FenTest, AFileLetterMayNameARookOnEitherSide) {
  EXPECT_EQ(RoundTrip("4k3/8/8/8/8/8/8/2KR4 w D - 0 1", kChess960), "4k3/8/8/8/8/8/8/2KR4 w K - 0 1");
  EXPECT_EQ(RoundTrip("4k3/8/8/8/8/8/8/3RK3 w D - 0 1", kChess960), "4k3/8/8/8/8/8/8/3RK3 w Q - 0 1");
}

TEST(FenTest, KeepsUsableEnPassantSquares) {
  for (const char* fen : {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/8/pP6/8/8/4K3 b - b3 0 1"}) {
    EXPECT_EQ(RoundTrip(fen), fen);
  }
}

TEST(FenTest, DropsEnPassantSquaresThatNobodyCanUse) {
  EXPECT_EQ(RoundTrip("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
  // The capture would open the rank, the file, the diagonal to the king.
  EXPECT_EQ(RoundTrip("8/8/8/K2Pp2r/8/8/8/7k w - e6 0 1"), "8/8/8/K2Pp2r/8/8/8/7k w - - 0 1");
  EXPECT_EQ(RoundTrip("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), "4r2k/8/8/3pP3/8/8/8/4K3 w - - 0 1");
  EXPECT_EQ(RoundTrip("k6b/8/8/3pP3/8/8/8/K7 w - d6 0 1"), "k6b/8/8/3pP3/8/8/8/K7 w - - 0 1");
  // It would leave another check unanswered.
  EXPECT_EQ(RoundTrip("k7/r6K/8/3pP3/8/8/8/8 w - d6 0 1"), "k7/r6K/8/3pP3/8/8/8/8 w - - 0 1");
}

TEST(FenTest, PositionsThatDifferInAUselessEnPassantSquareAreEqual) {
  const Position with = MustParse("8/8/8/K2Pp2r/8/8/8/7k w - e6 0 1");
  const Position without = MustParse("8/8/8/K2Pp2r/8/8/8/7k w - - 0 1");
  EXPECT_EQ(with.key(), without.key());
  EXPECT_TRUE(with.board() == without.board());
}

TEST(FenTest, AcceptsTheMostMenOfOneKind) {
  for (const char* fen : {"7k/2N1N3/1N3N2/3N4/1N3N2/2N1N3/3N4/4K3 w - - 0 1",  // ten knights
                          "k7/8/8/8/8/8/1QQQQQQQ/1QQK4 b - - 0 1",             // nine queens
                          "4k3/8/8/8/8/8/RRRRR3/RRRRRK2 b - - 0 1"}) {         // ten rooks
    EXPECT_EQ(RoundTrip(fen), fen);
  }
}

}  // namespace
}  // namespace kibitz
