#include "engine/tuning/record_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/tuning/record.h"
#include "engine/tuning/seen_positions.h"
#include "engine/tuning/statistics.h"

namespace kibitz::tuning {
namespace {

std::string Path(const std::string& name) { return testing::TempDir() + "/" + name; }

std::vector<Record> Numbered(int first, int count) {
  std::vector<Record> records;
  for (int i = 0; i < count; ++i) records.push_back(Pack(Position(), {.value = first + i, .result = 0.5}));
  return records;
}

std::vector<Record> ReadAll(const std::string& path) {
  absl::StatusOr<RecordReader> reader = RecordReader::Open(path);
  EXPECT_TRUE(reader.ok()) << reader.status().message();
  std::vector<Record> all;
  std::vector<Record> block;
  do {
    reader->Next(7, block);
    all.insert(all.end(), block.begin(), block.end());
  } while (!block.empty());
  EXPECT_EQ(all.size(), reader->size());
  return all;
}

TEST(RecordFileTest, GoesOnAfterWhatIsKept) {
  const std::string path = Path("goes_on");
  {
    absl::StatusOr<RecordWriter> writer = RecordWriter::Open(path, 0);
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE(writer->Add(Numbered(0, 10)).ok());
    ASSERT_TRUE(writer->Sync().ok());
  }
  // As after a crash: records that were not counted yet, and a part of one.
  std::ofstream(path, std::ios::app) << "torn";
  EXPECT_EQ(ReadAll(path).size(), 10u);
  {
    absl::StatusOr<RecordWriter> writer = RecordWriter::Open(path, 8);
    ASSERT_TRUE(writer.ok()) << writer.status().message();
    ASSERT_TRUE(writer->Add(Numbered(8, 4)).ok());
  }
  EXPECT_TRUE(ReadAll(path) == Numbered(0, 12));
  EXPECT_FALSE(RecordWriter::Open(path, 13).ok());
}

TEST(RecordFileTest, RefusesOtherFiles) {
  EXPECT_FALSE(RecordReader::Open(Path("nothing_there")).ok());
  const std::string path = Path("other");
  std::ofstream(path) << "[Event \"A game in PGN\"]\n[Site \"?\"]\n";
  EXPECT_FALSE(RecordReader::Open(path).ok());
  EXPECT_FALSE(RecordWriter::Open(path, 1).ok());
  EXPECT_FALSE(RecordWriter::Open(Path("no_folder") + "/file", 0).ok());
}

TEST(SeenPositionsTest, KnowsAPositionWhateverItsLabel) {
  SeenPositions seen;
  Position position;
  EXPECT_TRUE(seen.Add(Pack(position, {.value = 1})));
  EXPECT_FALSE(seen.Add(Pack(position, {.value = 2, .result = 1})));
  position.MakeMove(Move(Square::kE2, Square::kE4));
  EXPECT_TRUE(seen.Add(Pack(position, {.value = 1})));
}

TEST(StatisticsTest, AreReadAsTheyWereWritten) {
  Statistics statistics;
  statistics.engine = "Kibitz";
  statistics.next_game = 12;
  for (const Record& record : Numbered(-3000, 60)) statistics.contents.Count(record);
  const std::string path = Path("statistics.json");
  ASSERT_TRUE(statistics.Write(path).ok());
  const absl::StatusOr<Statistics> back = Statistics::Read(path);
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_EQ(back->engine, "Kibitz");
  EXPECT_EQ(back->next_game, 12u);
  EXPECT_EQ(back->contents.positions, 60u);
  EXPECT_EQ(back->contents.values[0], 60u);
  EXPECT_EQ(back->contents.pieces[32], 60u);
  std::ofstream(path) << "{";
  EXPECT_FALSE(Statistics::Read(path).ok());
}

}  // namespace
}  // namespace kibitz::tuning
