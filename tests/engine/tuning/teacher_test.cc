#include "engine/tuning/teacher.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/board/fen.h"
#include "tests/support/stockfish.h"

namespace kibitz::tuning {
namespace {

Record RecordOf(const std::string& fen) { return Pack(ParseFen(fen).value(), {}); }

TEST(TeacherTest, ReadsTheValueOfAnInfo) {
  EXPECT_EQ(ValueOfInfo("info depth 1 seldepth 1 multipv 1 score cp -31 nodes 20 pv e2e4"), -31);
  EXPECT_EQ(ValueOfInfo("info depth 9 score mate 3 nodes 20"), Record::kMaxValue);
  EXPECT_EQ(ValueOfInfo("info depth 9 score mate -2 nodes 20"), -Record::kMaxValue);
  EXPECT_EQ(ValueOfInfo("info depth 0 score mate 0"), -Record::kMaxValue);
  EXPECT_EQ(ValueOfInfo("info depth 1 score cp 99999"), Record::kMaxValue);
}

TEST(TeacherTest, ReadsNoValueWhereThereIsNone) {
  EXPECT_EQ(ValueOfInfo("info depth 1 currmove e2e4"), std::nullopt);

  EXPECT_EQ(ValueOfInfo("info depth 1 score cp"), std::nullopt);
  EXPECT_EQ(ValueOfInfo("info depth 1 score cp x"), std::nullopt);
  EXPECT_EQ(ValueOfInfo("bestmove e2e4"), std::nullopt);
}

TEST(TeacherTest, ValuesPositionsForWhite) {
  if (!Stockfish::Find()) GTEST_SKIP() << "there is no stockfish";
  absl::StatusOr<Teacher> teacher = Teacher::Start({});
  ASSERT_TRUE(teacher.ok()) << teacher.status();
  EXPECT_NE(teacher->name().find("Stockfish"), std::string::npos);
  std::vector<Record> records = {RecordOf("4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1"),
                                 RecordOf("4k3/8/8/8/8/8/3Q4/4K3 b - - 0 1"),
                                 RecordOf("4k3/2q5/8/8/8/8/8/4K3 b - - 0 1")};
  ASSERT_TRUE(teacher->Label(records).ok());
  EXPECT_GT(records[0].value, 300);
  EXPECT_GT(records[1].value, 300);
  EXPECT_LT(records[2].value, -300);
}

TEST(TeacherTest, TellsOfAnEngineThatIsNone) {
  EXPECT_FALSE(Teacher::Start({.program = "/nonexistent"}).ok());
  EXPECT_FALSE(Teacher::Start({.program = "true"}).ok());
}

}  // namespace
}  // namespace kibitz::tuning
