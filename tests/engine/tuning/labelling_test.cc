#include "engine/tuning/labelling.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/board/movegen.h"
#include "engine/tuning/record.h"
#include "engine/tuning/record_file.h"

namespace kibitz::tuning {
namespace {

// Different positions, by random moves.
std::vector<Record> Positions(int count) {
  std::mt19937_64 random(1);
  std::vector<Record> records;
  Position position;
  while (static_cast<int>(records.size()) < count) {
    if (position.Status() != GameStatus::kOngoing || position.fullmove_number() > 30) position = Position();
    const MoveList moves = LegalMoves(position);
    position.MakeMove(moves[static_cast<int>(random() % static_cast<std::uint64_t>(moves.size()))]);
    if (position.Status() == GameStatus::kOngoing) records.push_back(Pack(position, {.value = 1, .result = 0.5}));
  }
  return records;
}

std::vector<Record> ReadAll(const std::string& path) {
  std::vector<Record> records;
  RecordReader reader = RecordReader::Open(path).value();
  reader.Next(1 << 20, records);
  return records;
}

class LabellingTest : public testing::Test {
 protected:
  void SetUp() override {
    options_.data = testing::TempDir() + "/labelling_source";
    options_.output = testing::TempDir() + "/labelling_output";
    for (const std::string& path : {options_.data, options_.output}) {
      std::filesystem::remove(path);
      std::filesystem::remove(path + ".json");
    }
    options_.teacher = "Teacher 1";
    options_.limit = "depth 1";
    Write(Positions(1000));
  }

  void Write(const std::vector<Record>& records) {
    RecordWriter writer = RecordWriter::Open(options_.data, 0).value();
    ASSERT_TRUE(writer.Add(records).ok());
    ASSERT_TRUE(writer.Sync().ok());
  }
  std::unique_ptr<Labelling> Open() {
    absl::StatusOr<std::unique_ptr<Labelling>> labelling = Labelling::Open(options_);
    EXPECT_TRUE(labelling.ok()) << labelling.status().message();
    return labelling.ok() ? *std::move(labelling) : nullptr;
  }
  // What a teacher would make of a block.
  static std::vector<Record> Valued(std::vector<Record> records) {
    for (Record& record : records) record.value = 77;
    return records;
  }

  Labelling::Options options_;
};

TEST_F(LabellingTest, WritesInOrderWhoeverIsFaster) {
  const std::unique_ptr<Labelling> labelling = Open();
  std::vector<Labelling::Block> blocks;
  while (blocks.empty() || !blocks.back().records.empty()) blocks.push_back(labelling->Take());
  for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
    ASSERT_TRUE(labelling->Put(*block, Valued(block->records)).ok());
  }
  ASSERT_TRUE(labelling->Save().ok());
  std::vector<Record> expected;
  for (const Record& record : Valued(Positions(1000))) {
    if (std::find(expected.begin(), expected.end(), record) == expected.end()) expected.push_back(record);
  }
  const LabelStatistics statistics = labelling->statistics();
  EXPECT_EQ(statistics.taken, 1000u);
  EXPECT_EQ(statistics.contents.positions + statistics.duplicates, 1000u);
  EXPECT_EQ(ReadAll(options_.output).size(), statistics.contents.positions);
  EXPECT_TRUE(ReadAll(options_.output).front() == expected.front());
  EXPECT_TRUE(ReadAll(options_.output).back().value == 77);
}

TEST_F(LabellingTest, GoesOnWhereItWasSaved) {
  const auto label_all = [](Labelling& labelling, int blocks) {
    for (; blocks != 0; --blocks) {
      const Labelling::Block block = labelling.Take();
      if (block.records.empty()) return;
      ASSERT_TRUE(labelling.Put(block, Valued(block.records)).ok());
    }
  };
  label_all(*Open(), -1);  // nothing is saved: begun anew
  {
    const std::unique_ptr<Labelling> labelling = Open();
    label_all(*labelling, 3);
    ASSERT_TRUE(labelling->Save().ok());
    label_all(*labelling, 1);  // lost
  }
  {
    const std::unique_ptr<Labelling> labelling = Open();
    const std::uint64_t before = labelling->statistics().taken;
    EXPECT_GT(before, 0u);
    label_all(*labelling, -1);
    ASSERT_TRUE(labelling->Save().ok());
    EXPECT_EQ(labelling->statistics().taken, 1000u);
  }
  const std::vector<Record> interrupted = ReadAll(options_.output);
  std::filesystem::remove(options_.output);
  std::filesystem::remove(options_.output + ".json");
  const std::unique_ptr<Labelling> labelling = Open();
  label_all(*labelling, -1);
  ASSERT_TRUE(labelling->Save().ok());
  EXPECT_TRUE(ReadAll(options_.output) == interrupted);
}

TEST_F(LabellingTest, RefusesAnOutputThatWasMadeInAnotherWay) {
  ASSERT_TRUE(Open()->Save().ok());
  options_.limit = "depth 2";
  EXPECT_FALSE(Labelling::Open(options_).ok());
  options_.limit = "depth 1";
  options_.data = "/no/such/positions";
  EXPECT_FALSE(Labelling::Open(options_).ok());
}

TEST(AskTest, AsksTheSameForTheSameBlock) {
  const Labelling::Block block{.number = 0, .seed = 5, .records = Positions(100)};
  const std::vector<Question> questions = Ask(block, 6).value();
  const std::vector<Question> again = Ask(block, 6).value();
  ASSERT_EQ(questions.size(), again.size());
  int from_the_position = 0;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    EXPECT_TRUE(questions[i].moves == again[i].moves);
    EXPECT_LE(questions[i].moves.size(), 6u);
    for (const Move move : questions[i].moves) EXPECT_TRUE(questions[i].position.IsLegal(move));
    from_the_position += Pack(questions[i].position, {.value = 1, .result = 0.5}) == block.records[i] ? 1 : 0;
  }
  EXPECT_GT(from_the_position, 20);
  EXPECT_LT(from_the_position, 80);
  EXPECT_FALSE(Ask({.number = 0, .seed = 1, .records = {Record()}}, 6).ok());
}

}  // namespace
}  // namespace kibitz::tuning
