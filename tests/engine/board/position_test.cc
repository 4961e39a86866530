#include "engine/board/position.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/status/statusor.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/uci_move.h"
#include "engine/board/zobrist.h"
#include "tests/support/positions.h"

namespace kibitz {
namespace {

using testing::HasSubstr;

std::string FenAfter(absl::string_view fen, absl::string_view moves, Variant variant = Variant::kStandard) {
  Position position = MustParse(fen, variant);
  PlayUci(position, moves);
  return ToFen(position);
}

std::string WhyNot(const Setup& setup) {
  const absl::StatusOr<Position> position = Position::FromSetup(setup);
  return position.ok() ? "accepted" : std::string(position.status().message());
}

Setup StartSetup() {
  Setup setup;
  setup.board = Position().board();
  return setup;
}

TEST(PositionTest, IsBuiltFromACheckedSetup) {
  const absl::StatusOr<Position> position = Position::FromSetup(StartSetup());
  ASSERT_TRUE(position.ok()) << position.status();
  EXPECT_EQ(ToFen(*position), kStartFen);
  EXPECT_THAT(WhyNot({}), HasSubstr("no king"));
}

// A Setup may come from anywhere: what no FEN can say must be refused as well.
TEST(PositionTest, RefusesBoardsThatContradictThemselves) {
  auto two_colors = StartSetup();
  two_colors.board.by_color[Index(Color::kBlack)] |= Bit(Square::kA2);
  EXPECT_THAT(WhyNot(two_colors), HasSubstr("a2"));

  auto two_kinds = StartSetup();
  two_kinds.board.by_type[Index(PieceType::kQueen)] |= Bit(Square::kA2);
  EXPECT_THAT(WhyNot(two_kinds), HasSubstr("a2"));

  auto no_kind = StartSetup();
  no_kind.board.by_color[Index(Color::kWhite)] |= Bit(Square::kE4);
  EXPECT_THAT(WhyNot(no_kind), HasSubstr("e4"));

  auto no_color = StartSetup();
  no_color.board.by_type[Index(PieceType::kKnight)] |= Bit(Square::kE5);
  EXPECT_THAT(WhyNot(no_color), HasSubstr("e5"));
}

TEST(PositionTest, RefusesCastlingRooksThatAreNone) {
  auto setup = StartSetup();
  setup.board.castling_rooks |= Bit(Square::kE4);
  EXPECT_THAT(WhyNot(setup), HasSubstr("castling"));
  setup = StartSetup();
  setup.board.castling_rooks |= Bit(Square::kB1);
  EXPECT_THAT(WhyNot(setup), HasSubstr("castling"));
}

TEST(PositionTest, RefusesNegativeClocks) {
  auto setup = StartSetup();
  setup.halfmove_clock = -1;
  EXPECT_THAT(WhyNot(setup), HasSubstr("halfmove clock"));
  setup = StartSetup();
  setup.fullmove_number = -1;
  EXPECT_THAT(WhyNot(setup), HasSubstr("move number"));
}

TEST(PositionTest, CountsClocks) {
  EXPECT_EQ(FenAfter(kStartFen, "g1f3"), "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
  EXPECT_EQ(FenAfter(kStartFen, "g1f3 g8f6"), "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2");
  EXPECT_EQ(FenAfter(kStartFen, "g1f3 g8f6 e2e3"), "rnbqkb1r/pppppppp/5n2/8/8/4PN2/PPPP1PPP/RNBQKB1R b KQkq - 0 2");
  EXPECT_EQ(FenAfter("4k3/8/8/3n4/8/4N3/8/4K3 w - - 41 60", "e3d5"), "4k3/8/8/3N4/8/8/8/4K3 b - - 0 60");
}

TEST(PositionTest, SetsTheEnPassantSquareOnlyForALegalCapture) {
  EXPECT_EQ(FenAfter(kStartFen, "e2e4"), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
  EXPECT_EQ(FenAfter("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4"), "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
  EXPECT_EQ(FenAfter("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e3"), "4k3/8/8/8/3p4/4P3/8/4K3 b - - 0 1");
  // The capture would open the rank between king and rook.
  EXPECT_EQ(FenAfter("8/4p3/8/K2P3r/8/8/8/7k b - - 0 1", "e7e5"), "8/8/8/K2Pp2r/8/8/8/7k w - - 0 2");
  // It lasts for one move.
  EXPECT_EQ(FenAfter("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4 e8e7"), "8/4k3/8/8/3pP3/8/8/4K3 w - - 1 2");
}

TEST(PositionTest, CapturesEnPassant) {
  EXPECT_EQ(FenAfter("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4 d4e3"), "4k3/8/8/8/8/4p3/8/4K3 w - - 0 2");
}

TEST(PositionTest, Castles) {
  EXPECT_EQ(FenAfter("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1 e8c8"), "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2");
  EXPECT_EQ(FenAfter("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1 e8g8"), "r4rk1/8/8/8/8/8/8/2KR3R w - - 2 2");
}

TEST(PositionTest, CastlesOverOverlappingSquares) {
  constexpr auto k960 = Variant::kChess960;
  EXPECT_EQ(FenAfter("4k3/8/8/8/8/8/8/2RK4 w C - 0 1", "d1c1", k960), "4k3/8/8/8/8/8/8/2KR4 b - - 1 1");
  EXPECT_EQ(FenAfter("6kr/8/8/8/8/8/8/6KR w Hh - 0 1", "g1h1 g8h8", k960), "5rk1/8/8/8/8/8/8/5RK1 w - - 2 2");
  EXPECT_EQ(FenAfter("1k5r/8/8/8/8/8/8/1K5R w Hh - 0 1", "b1h1", k960), "1k5r/8/8/8/8/8/8/5RK1 b k - 1 1");
  EXPECT_EQ(FenAfter("4k3/8/8/8/8/8/8/3RK3 w D - 0 1", "e1d1", k960), "4k3/8/8/8/8/8/8/2KR4 b - - 1 1");
}

TEST(PositionTest, LosesCastlingRightsMoveByMove) {
  const char fen[] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
  EXPECT_EQ(FenAfter(fen, "a1b1"), "r3k2r/8/8/8/8/8/8/1R2K2R b Kkq - 1 1");
  EXPECT_EQ(FenAfter(fen, "h1g1"), "r3k2r/8/8/8/8/8/8/R3K1R1 b Qkq - 1 1");
  EXPECT_EQ(FenAfter(fen, "e1e2"), "r3k2r/8/8/8/8/8/4K3/R6R b kq - 1 1");
  EXPECT_EQ(FenAfter(fen, "a1a8"), "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 1");
  // A rook that comes back has lost its right.
  EXPECT_EQ(FenAfter(fen, "a1b1 a8b8 b1a1 b8a8"), "r3k2r/8/8/8/8/8/8/R3K2R w Kk - 4 3");
  // A promotion may take the rook.
  EXPECT_EQ(FenAfter("r3k2r/1P6/8/8/8/8/8/4K3 w kq - 0 1", "b7a8n"), "N3k2r/8/8/8/8/8/8/4K3 b k - 0 1");
}

TEST(PositionTest, KnowsCapturesAndChecks) {
  const Position position = MustParse("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1");
  EXPECT_TRUE(position.IsCapture(MustParseUci(position, "a1a8")));
  EXPECT_TRUE(position.IsCapture(MustParseUci(position, "e5d6")));
  EXPECT_FALSE(position.IsCapture(MustParseUci(position, "e1g1"))) << "castling takes nothing";
  EXPECT_FALSE(position.IsCapture(MustParseUci(position, "a1a7")));
  EXPECT_TRUE(position.GivesCheck(MustParseUci(position, "a1a8")));
  EXPECT_FALSE(position.GivesCheck(MustParseUci(position, "e5d6")));
  EXPECT_FALSE(position.InCheck());
  EXPECT_EQ(MustParse("4k3/8/3N4/8/8/8/4R3/4K3 b - - 0 1").checkers(), Bit(Square::kD6) | Bit(Square::kE2));
}

TEST(PositionTest, PassesByNullMove) {
  Position position = MustParse("4k3/8/8/3pP3/8/8/8/4K2R w K d6 5 9");
  position.MakeNullMove();
  EXPECT_EQ(position.side_to_move(), Color::kBlack);
  EXPECT_EQ(position.board().en_passant, Square::kNone);
  EXPECT_EQ(position.board().Rights(), kWhiteKingside);
  EXPECT_EQ(position.key(), zobrist::Compute(position.board()));
  position.UnmakeNullMove();
  EXPECT_EQ(ToFen(position), "4k3/8/8/3pP3/8/8/8/4K2R w K d6 5 9");
}

TEST(PositionTest, CopiesAreIndependent) {
  Position position;
  PlayUci(position, "e2e4 e7e5");
  Position copy = position;
  copy.UnmakeMove(*ParseUciMove(MustParse("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"), "e7e5"));
  EXPECT_EQ(ToFen(copy), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
  EXPECT_EQ(ToFen(position), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
}

TEST(PositionTest, TakesBackALongGame) {
  Position position;
  std::vector<Move> played;
  for (int i = 0; i < 2000; ++i) {
    const char* const shuffle[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    played.push_back(MustParseUci(position, shuffle[i % 4]));
    position.MakeMove(played.back());
  }
  EXPECT_EQ(position.halfmove_clock(), 2000);
  EXPECT_EQ(position.fullmove_number(), 1001);
  EXPECT_EQ(position.Repetitions(), 501);
  for (; !played.empty(); played.pop_back()) position.UnmakeMove(played.back());
  EXPECT_EQ(ToFen(position), kStartFen);
}

}  // namespace
}  // namespace kibitz
