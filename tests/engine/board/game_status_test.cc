// How games end: Position::Status, Repetitions, IsRepetition, HasInsufficientMaterial.

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "engine/board/fen.h"
#include "engine/board/position.h"
#include "engine/board/uci_move.h"
#include "tests/support/positions.h"

namespace kibitz {
namespace {

constexpr char kKnightsOutAndBack[] = "g1f3 g8f6 f3g1 f6g8 ";

Position After(absl::string_view fen, const std::string& moves, Variant variant = Variant::kStandard) {
  Position position = MustParse(fen, variant);
  PlayUci(position, moves);
  return position;
}

std::string Times(int times, absl::string_view moves) {
  std::string all;
  for (int i = 0; i < times; ++i) absl::StrAppend(&all, moves);
  return all;
}

GameStatus StatusOf(absl::string_view fen) { return MustParse(fen).Status(); }

TEST(GameStatusTest, GoesOnFromTheStart) { EXPECT_EQ(Position().Status(), GameStatus::kOngoing); }

TEST(GameStatusTest, SeesCheckmate) {
  EXPECT_EQ(StatusOf("3R2k1/5ppp/8/8/8/8/8/7K b - - 0 1"), GameStatus::kCheckmate);
  EXPECT_EQ(After(kStartFen, "f2f3 e7e5 g2g4 d8h4").Status(), GameStatus::kCheckmate);
  EXPECT_EQ(StatusOf("4R1k1/5ppp/8/8/8/8/r7/7K b - - 0 1"), GameStatus::kCheckmate);
}

TEST(GameStatusTest, SeesStalemate) {
  EXPECT_EQ(StatusOf("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), GameStatus::kStalemate);
  EXPECT_EQ(StatusOf("kb5R/8/1K6/8/8/8/8/8 b - - 0 1"), GameStatus::kStalemate);
}

TEST(GameStatusTest, CountsRepetitions) {
  for (int round = 0; round < 6; ++round) {
    EXPECT_EQ(After(kStartFen, Times(round, kKnightsOutAndBack)).Repetitions(), round + 1);
    EXPECT_EQ(After(kStartFen, Times(round, kKnightsOutAndBack) + "g1f3").Repetitions(), round + 1);
  }
}

TEST(GameStatusTest, SeesThreefoldAndFivefoldRepetition) {
  const GameStatus expected[] = {GameStatus::kOngoing,
                                 GameStatus::kOngoing,
                                 GameStatus::kThreefoldRepetition,
                                 GameStatus::kThreefoldRepetition,
                                 GameStatus::kFivefoldRepetition,
                                 GameStatus::kFivefoldRepetition};
  for (int round = 0; round < 6; ++round) {
    EXPECT_EQ(After(kStartFen, Times(round, kKnightsOutAndBack)).Status(), expected[round]) << round;
  }
}

TEST(GameStatusTest, RepetitionNeedsTheSameRights) {
  // The kings' and rooks' walks lose the rights, so the first position never comes back; the second does.
  const char fen[] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
  const std::string walk = "e1e2 e8e7 e2e1 e7e8 ";
  EXPECT_EQ(After(fen, Times(2, walk)).Repetitions(), 2);
  EXPECT_EQ(After(fen, Times(3, walk)).Repetitions(), 3);
}

TEST(GameStatusTest, RepetitionCountsAUsableEnPassantSquareOnly) {
  // After e2e4 Black could capture en passant; when the position comes back it cannot: another position.
  const std::string tour = "e8d8 e1d1 d8e8 d1e1 ";
  EXPECT_EQ(After("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4 " + tour).Repetitions(), 1);
  EXPECT_EQ(After("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4 " + Times(2, tour)).Repetitions(), 2);
  // Nobody stands ready: the double step is no different from a single one.
  EXPECT_EQ(After("4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 1", "e2e4 " + tour).Repetitions(), 2);
}

TEST(GameStatusTest, RepetitionForgetsWhatACaptureMadeImpossible) {
  EXPECT_EQ(After(kStartFen, Times(2, kKnightsOutAndBack) + "e2e4 e7e5 " + kKnightsOutAndBack).Repetitions(), 2);
}

TEST(GameStatusTest, RepetitionOutlivesForgottenUndo) {
  Position position = After(kStartFen, kKnightsOutAndBack);
  position.ForgetUndo();
  EXPECT_EQ(position.Repetitions(), 2);
  PlayUci(position, kKnightsOutAndBack);
  EXPECT_EQ(position.Repetitions(), 3);
  EXPECT_EQ(position.Status(), GameStatus::kThreefoldRepetition);
  // What was played since can be taken back.
  PlayUci(position, "g1f3");
  position.UnmakeMove(Move(Square::kG1, Square::kF3));
  EXPECT_EQ(position.Repetitions(), 3);
}

TEST(GameStatusTest, RepetitionDoesNotReachAcrossANullMove) {
  Position position = After(kStartFen, "g1f3 g8f6 ");
  position.MakeNullMove();
  PlayUci(position, "f6g8 f3g1 g8f6 g1f3 ");
  // The same pieces with the same side to move stood here before the pass.
  EXPECT_EQ(position.Repetitions(), 2);
  position = After(kStartFen, "g1f3 ");
  position.MakeNullMove();
  PlayUci(position, "f3g1 ");
  position.MakeNullMove();
  EXPECT_EQ(position.Repetitions(), 1);
}

TEST(GameStatusTest, SearchCallsARepetitionBelowItsRootADraw) {
  Position position;
  PlayUci(position, kKnightsOutAndBack);
  // The start position has come back after four plies. It is the root itself if the search began there.
  EXPECT_FALSE(position.IsRepetition(0));
  EXPECT_FALSE(position.IsRepetition(3));
  EXPECT_FALSE(position.IsRepetition(4));
  EXPECT_TRUE(position.IsRepetition(5));
  EXPECT_TRUE(position.IsRepetition(20));
}

TEST(GameStatusTest, SearchCallsAThirdTimeADrawWhereverItStood) {
  Position position;
  PlayUci(position, Times(2, kKnightsOutAndBack));
  EXPECT_TRUE(position.IsRepetition(0));
  EXPECT_TRUE(position.IsRepetition(1));
  PlayUci(position, "e2e4");
  EXPECT_FALSE(position.IsRepetition(100));
}

TEST(GameStatusTest, CountsFiftyAndSeventyFiveMoves) {
  const auto at = [](int clock) { return StatusOf(absl::StrCat("4k3/8/8/8/8/8/8/R3K3 w - - ", clock, " 90")); };
  EXPECT_EQ(at(99), GameStatus::kOngoing);
  EXPECT_EQ(at(100), GameStatus::kFiftyMoves);
  EXPECT_EQ(at(149), GameStatus::kFiftyMoves);
  EXPECT_EQ(at(150), GameStatus::kSeventyFiveMoves);
  EXPECT_EQ(at(5000), GameStatus::kSeventyFiveMoves);
}

TEST(GameStatusTest, TheMoveThatCompletesFiftyMayMateOrStalemate) {
  EXPECT_EQ(After("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 90", "a1a8").Status(), GameStatus::kCheckmate);
  EXPECT_EQ(After("6k1/5ppp/8/8/8/8/8/R3K3 w - - 149 90", "a1a8").Status(), GameStatus::kCheckmate);
  EXPECT_EQ(After("7k/5Q2/8/6K1/8/8/8/8 w - - 149 90", "g5g6").Status(), GameStatus::kStalemate);
  EXPECT_EQ(After("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 90", "a1a7").Status(), GameStatus::kFiftyMoves);
}

TEST(GameStatusTest, PawnMovesAndCapturesStartTheCountAnew) {
  EXPECT_EQ(After("4k3/8/8/8/8/8/P7/R3K3 w - - 120 90", "a2a3").Status(), GameStatus::kOngoing);
  EXPECT_EQ(After("4k3/p7/8/8/8/8/8/R3K3 w - - 120 90", "a1a7").Status(), GameStatus::kOngoing);
  // Castling does not.
  EXPECT_EQ(After("4k3/8/8/8/8/8/8/R3K3 w Q - 99 90", "e1c1").halfmove_clock(), 100);
}

TEST(GameStatusTest, SeesDeadPositions) {
  for (const char* fen : {"4k3/8/8/8/8/8/8/4K3 w - - 0 1",            // bare kings
                          "4k3/8/8/8/8/8/8/4KB2 w - - 0 1",           // a bishop
                          "4k1n1/8/8/8/8/8/8/4K3 w - - 0 1",          // a knight
                          "4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1",         // bishops of one square colour
                          "1b2kb2/8/8/8/8/B7/8/B1B1K3 b - - 0 1"}) {  // any number of them
    EXPECT_EQ(StatusOf(fen), GameStatus::kDeadPosition) << fen;
    EXPECT_TRUE(MustParse(fen).HasInsufficientMaterial()) << fen;
  }
}

TEST(GameStatusTest, DoesNotCallPositionsDeadWhereMateIsPossible) {
  for (const char* fen : {"4k3/8/8/8/8/8/8/4KBB1 w - - 0 1",    // bishops of both square colours
                          "4kb2/8/8/8/8/8/8/4KB2 w - - 0 1",    // the same on two sides: a helpmate exists
                          "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1",    // two knights: a helpmate exists
                          "4k1n1/8/8/8/8/8/8/4KN2 w - - 0 1",   // a knight each
                          "4k1b1/8/8/8/8/8/8/4KN2 w - - 0 1",   // knight and bishop
                          "4k3/8/8/8/8/8/8/4K2R w - - 0 1",     // a rook
                          "4k3/4p3/8/8/8/8/8/4K3 w - - 0 1",    // a pawn
                          "4k3/8/8/8/8/8/8/3QK3 b - - 0 1"}) {  // a queen
    EXPECT_EQ(StatusOf(fen), GameStatus::kOngoing) << fen;
    EXPECT_FALSE(MustParse(fen).HasInsufficientMaterial()) << fen;
  }
}

TEST(GameStatusTest, StalemateBeatsADeadPosition) {
  EXPECT_EQ(StatusOf("8/8/8/8/8/1k6/8/Kb6 w - - 0 1"), GameStatus::kDeadPosition);
  EXPECT_EQ(StatusOf("8/8/8/8/8/1k6/2b5/K7 w - - 0 1"), GameStatus::kStalemate);
}

}  // namespace
}  // namespace kibitz
