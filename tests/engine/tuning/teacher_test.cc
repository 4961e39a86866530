#include "engine/tuning/teacher.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "tests/support/stockfish.h"

namespace kibitz::tuning {
namespace {

Position At(const std::string& fen) { return ParseFen(fen).value(); }
Record RecordOf(const std::string& fen) { return Pack(At(fen), {}); }

TEST(TeacherTest, ReadsWhatAnInfoSaysOfALine) {
  const std::optional<TaughtLine> line =
      ReadTaughtLine("info depth 1 seldepth 1 multipv 3 score cp -31 nodes 20 time 1 pv e2e4 e7e5");
  ASSERT_TRUE(line.has_value());
  EXPECT_EQ(line->rank, 3);
  EXPECT_EQ(line->value, -31);
  EXPECT_TRUE(line->exact);
  EXPECT_EQ(line->moves, "e2e4 e7e5");
  EXPECT_FALSE(ReadTaughtLine("info depth 2 score cp 12 lowerbound nodes 20 pv e2e4")->exact);
}

TEST(TeacherTest, TakesMatesForTheLargestValues) {
  const auto value = [](const std::string& line) {
    const std::optional<TaughtLine> taught = ReadTaughtLine(line);
    EXPECT_TRUE(taught && !taught->exact) << line;
    return taught ? taught->value : 0;
  };
  EXPECT_EQ(value("info depth 9 score mate 3 nodes 20"), Record::kMaxValue);
  EXPECT_EQ(value("info depth 9 score mate -2 nodes 20"), -Record::kMaxValue);
  EXPECT_EQ(value("info depth 0 score mate 0"), -Record::kMaxValue);
  EXPECT_EQ(ReadTaughtLine("info depth 1 score cp 99999")->value, Record::kMaxValue);
}

TEST(TeacherTest, ReadsNoLineWhereThereIsNone) {
  EXPECT_FALSE(ReadTaughtLine("info depth 1 currmove e2e4"));
  EXPECT_FALSE(ReadTaughtLine("info string score cp 12"));
  EXPECT_FALSE(ReadTaughtLine("info depth 1 score cp"));
  EXPECT_FALSE(ReadTaughtLine("info depth 1 score cp x"));
  EXPECT_FALSE(ReadTaughtLine("info depth 1 multipv 0 score cp 1"));
  EXPECT_FALSE(ReadTaughtLine("bestmove e2e4"));
}

class StockfishTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!Stockfish::Find()) GTEST_SKIP() << "there is no stockfish";
    absl::StatusOr<Teacher> teacher = Teacher::Start({.lines = 8});
    ASSERT_TRUE(teacher.ok()) << teacher.status().message();
    teacher_.emplace(*std::move(teacher));
  }

  std::optional<Teacher> teacher_;
};

TEST_F(StockfishTest, ValuesPositionsForWhite) {
  EXPECT_NE(teacher_->name().find("Stockfish"), std::string::npos) << teacher_->name();
  std::vector<Record> records = {RecordOf("4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1"),
                                 RecordOf("4k3/8/8/8/8/8/3Q4/4K3 b - - 0 1"),
                                 RecordOf("4k3/2q5/8/8/8/8/8/4K3 b - - 0 1")};
  ASSERT_TRUE(teacher_->Label(records).ok());
  EXPECT_GT(records[0].value, 300);
  EXPECT_GT(records[1].value, 300);
  EXPECT_LT(records[2].value, -300);
}

TEST_F(StockfishTest, TellsQuietPositionsFromOthers) {
  std::vector<Record> records = {RecordOf(kStartFen), RecordOf("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"),
                                 RecordOf("8/P7/7k/8/8/2p5/2P5/4K3 w - - 0 1"),
                                 RecordOf("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")};
  ASSERT_TRUE(teacher_->Label(records).ok());
  EXPECT_TRUE(records[0].IsQuiet());
  EXPECT_FALSE(records[1].IsQuiet()) << "a queen hangs";
  EXPECT_FALSE(records[2].IsQuiet()) << "a pawn promotes";
  EXPECT_FALSE(records[3].IsQuiet()) << "a rook mates";
}

// Of a move that hangs a queen, the line ends where it was taken.
TEST_F(StockfishTest, FollowsItsLinesToTheirEnds) {
  const Position position = At("4k3/3p4/8/8/8/8/3Q4/4K3 w - - 0 1");
  const Question question{position, {Move(Square::kD2, Square::kD7), Move(Square::kE1, Square::kF2)}};
  const absl::StatusOr<std::vector<Record>> ends = teacher_->FollowLines({question, question});
  ASSERT_TRUE(ends.ok()) << ends.status().message();
  ASSERT_EQ(ends->size(), 2u) << "after the capture there are bare kings, which nobody needs to learn";
  for (const Record& end : *ends) {
    const Position there = Unpack(end).value();
    EXPECT_EQ(there.side_to_move(), Color::kBlack);
    EXPECT_EQ(ToFen(there).find("4k3/3p4/8/8/8/8/3Q1K2/8 b - "), 0u) << ToFen(there);
    EXPECT_GT(end.value, 150);
    EXPECT_TRUE(end.IsQuiet());
    EXPECT_EQ(LabelOf(end).origin, Origin::kSibling);
  }
}

TEST_F(StockfishTest, FollowsLinesOfChess960) {
  Position position =
      ParseFen("1rkr2bb/pppppppp/5n2/2n1q3/8/1N1NQ3/PPPPPPPP/1RKR2BB w KQkq - 0 1", Variant::kChess960).value();
  const MoveList legal = LegalMoves(position);
  const Question question{position, {legal.begin(), legal.begin() + 8}};
  const absl::StatusOr<std::vector<Record>> ends = teacher_->FollowLines({question});
  ASSERT_TRUE(ends.ok()) << ends.status().message();
  ASSERT_GT(ends->size(), 3u);
  for (const Record& end : *ends) EXPECT_EQ(Unpack(end).value().variant(), Variant::kChess960);
}

TEST(TeacherTest, TellsOfAnEngineThatIsNone) {
  EXPECT_FALSE(Teacher::Start({.program = "/nonexistent"}).ok());
  EXPECT_FALSE(Teacher::Start({.program = "true"}).ok());
}

}  // namespace
}  // namespace kibitz::tuning
